//! The end-to-end tests in `end2end/`: the real server, a real browser, and the stand-in Ollama.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::context;
use super::tally::Tally;
use crate::{Result, exec, place, server, tools};

/// Runs Playwright and counts the results in its JSON report.
pub fn run() -> Result<Tally> {
    let mut playwright = exec::command("playwright");
    playwright.env(tools::CHROMIUM.variable, tools::CHROMIUM.path()?);
    with("playwright.config.ts", playwright, &[])
}

/// The smoke test in Firefox and WebKit. A browser that is not available is skipped.
pub fn smoke() -> Result<Tally> {
    let mut playwright = exec::command("playwright");
    let mut tally = Tally::default();
    let mut projects = Vec::new();
    for browser in tools::SMOKE_BROWSERS {
        match browser.path() {
            Ok(program) => {
                playwright.env(browser.variable, program);
                projects.push(format!("--project={}", browser.name));
            }
            Err(why) => {
                let line = format!("skipped: {}: {why}", browser.name);
                println!("{line}");
                context::note(vec![line]);
                tally += Tally::SKIPPED;
            }
        }
    }
    if !projects.is_empty() {
        tally += with("smoke.config.ts", playwright, &projects)?;
    }
    Ok(tally)
}

/// Runs one of the configurations in `end2end/`.
fn with(config: &str, mut playwright: Command, more: &[String]) -> Result<Tally> {
    let folder = place::end2end();
    if !folder.join(config).is_file() {
        return Err(format!("end2end/{config} is missing"));
    }
    let programs = context::building(|| {
        tools::client_tools()?;
        server::development()
    })?;
    let report = place::scratch().join("playwright.json");
    fs::remove_file(&report).ok(); // An old report must not be counted; usually there is none.
    let ended = exec::run(
        context::with_extent(&mut playwright)
            .args(["test", "--reporter=list,json", "--config", config])
            .args(more)
            .current_dir(&folder)
            .env("SASH_BIN", programs.sash)
            .env("SASH_STAND_IN", programs.stand_in)
            .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report),
    );
    let text = fs::read_to_string(&report).map_err(|e| match &ended {
        Err(why) => why.clone(),
        Ok(()) => format!("Playwright left no report: {e}"),
    })?;
    let report = serde_json::from_str(&text);
    let report = report.map_err(|e| format!("Playwright's report is unreadable: {e}"))?;
    let mut tally = count(&report);
    let mut notes = Vec::new();
    walk(&report, &mut notes);
    context::note(notes);
    if let Err(why) = ended
        && tally.failed == 0
    {
        println!("FAILED: {why}");
        tally += Tally::FAILED;
    }
    Ok(tally)
}

/// Counts a report. A flaky test passed when it was retried: it counts as passed and is named.
fn count(report: &Value) -> Tally {
    let number = |what: &str| report["stats"][what].as_u64().unwrap_or(0) as usize;
    Tally {
        passed: number("expected") + number("flaky"),
        failed: number("unexpected"),
        skipped: number("skipped"),
    }
}

/// Adds the tests of a report, or of a suite, that did not pass at the first try, each with the first lines of its error, to
/// repeat below the sum.
fn walk(suite: &Value, lines: &mut Vec<String>) {
    for inner in suite["suites"].as_array().into_iter().flatten() {
        walk(inner, lines);
    }
    for spec in suite["specs"].as_array().into_iter().flatten() {
        let file = spec["file"].as_str().unwrap_or_default();
        let title = spec["title"].as_str().unwrap_or_default();
        for test in spec["tests"].as_array().into_iter().flatten() {
            let status = test["status"].as_str().unwrap_or_default();
            if matches!(status, "unexpected" | "flaky") {
                let results = test["results"].as_array();
                let why = results
                    .into_iter()
                    .flatten()
                    .find_map(|result| result["errors"][0]["message"].as_str());
                let why: Vec<_> = why.unwrap_or_default().lines().take(8).collect();
                let status = if status == "flaky" { "FLAKY" } else { "FAILED" };
                lines.push(format!(
                    "{status}: {file}: {title}\n    {}",
                    why.join("\n    ")
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaky_counts_as_passed_and_is_named() {
        let report = r#"{"stats":{"expected":7,"unexpected":1,"flaky":2,"skipped":3},
            "suites":[{"specs":[],"suites":[{"specs":[{"file":"a.spec.ts","title":"goes",
            "tests":[{"status":"flaky","results":[{"errors":[{"message":"late\nby 3"}]},{"errors":[]}]}]}]}]}]}"#;
        let report = serde_json::from_str(report).unwrap();
        assert_eq!(count(&report).to_string(), "9 passed, 1 failed, 3 skipped");
        let mut lines = Vec::new();
        walk(&report, &mut lines);
        assert_eq!(lines, ["FLAKY: a.spec.ts: goes\n    late\n    by 3"]);
    }
}
