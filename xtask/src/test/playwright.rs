//! The real server, a real browser, the stand-in Ollama: `end2end/`.

use std::fs;

use super::tally::Tally;
use crate::{Result, exec, place, server, tools};

/// Runs Playwright and counts from its JSON report.
pub fn run() -> Result<Tally> {
    let folder = place::end2end();
    if !folder.join("playwright.config.ts").is_file() {
        return Err("end2end/playwright.config.ts is missing".into());
    }
    tools::client_tools()?;
    let browser = tools::browser()?;
    let program = server::development()?;
    let stand_in = server::stand_in()?;
    let report = place::scratch().join("playwright.json");
    fs::remove_file(&report).ok(); // An old one must not be counted; usually there is none.
    let ended = exec::run(
        exec::command("playwright")
            .args(["test", "--reporter=list,json"])
            .current_dir(&folder)
            .env("SASH_CHROMIUM", browser.chromium)
            .env("SASH_BIN", program)
            .env("SASH_STAND_IN", stand_in)
            .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report),
    );
    let text = fs::read_to_string(&report).map_err(|e| match &ended {
        Err(why) => why.clone(),
        Ok(()) => format!("Playwright left no report: {e}"),
    })?;
    let mut tally = count(&text)?;
    if let Err(why) = ended
        && tally.failed == 0
    {
        println!("FAILED: {why}");
        tally += Tally::FAILED;
    }
    Ok(tally)
}

/// A flaky test passed only when it was tried again: that is no pass.
fn count(report: &str) -> Result<Tally> {
    let report: serde_json::Value = serde_json::from_str(report)
        .map_err(|e| format!("Playwright's report is unreadable: {e}"))?;
    let number = |what: &str| report["stats"][what].as_u64().unwrap_or(0) as usize;
    Ok(Tally {
        passed: number("expected"),
        failed: number("unexpected") + number("flaky"),
        skipped: number("skipped"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaky_is_failed() {
        let report = r#"{"stats":{"expected":7,"unexpected":1,"flaky":2,"skipped":3}}"#;
        let tally = count(report).unwrap();
        assert_eq!(tally.to_string(), "7 passed, 3 failed, 3 skipped");
    }
}
