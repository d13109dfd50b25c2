//! Measurements in a real browser with the release build. The measuring code is in
//! `end2end/bench/`, one file for each part of the table.

use std::fs;
use std::sync::OnceLock;

use super::programs::programs;
use super::row::BenchRow;
use crate::{Result, exec, place, tools};

/// Another `sash` program that is measured beside this one: the page's start, and an answer.
pub static AGAINST: OnceLock<String> = OnceLock::new();

/// How soon the page is usable and shows the last answer of its log.
pub fn page() -> Result<Vec<BenchRow>> {
    measure("page.spec")
}

/// The cost of the log: the bytes written for one exchange, and the start with a full log.
pub fn log() -> Result<Vec<BenchRow>> {
    measure("log.spec")
}

/// The main-thread time of an answer, compared with a bare page that appends the same text, and how
/// the page copes with the longest and fastest answers.
pub fn answer() -> Result<Vec<BenchRow>> {
    measure("answer.spec")
}

/// The cost of hostile answers: the longest task, and the time until the whole answer is shown.
pub fn hostile() -> Result<Vec<BenchRow>> {
    measure("hostile.spec")
}

/// Runs the measurements of one file and parses their rows.
fn measure(spec: &str) -> Result<Vec<BenchRow>> {
    tools::client_tools()?;
    let browser = tools::browser()?;
    let programs = programs()?;
    let file = place::scratch().join(format!("bench-{spec}.jsonl"));
    fs::remove_file(&file).ok(); // Usually there is none.
    exec::run(
        exec::command("playwright")
            .args(["test", "--config", "bench.config.ts", "--reporter=line"])
            .arg(spec)
            .current_dir(place::end2end())
            .env("SASH_CHROMIUM", browser.chromium)
            .env("SASH_BIN", programs.sash)
            .env("SASH_STAND_IN", programs.stand_in)
            .env("SASH_ROWS", &file)
            .envs(AGAINST.get().map(|program| ("SASH_AGAINST", program))),
    )?;
    let text = fs::read_to_string(&file).map_err(|e| format!("the browser left no rows: {e}"))?;
    text.lines().map(row).collect()
}

fn row(line: &str) -> Result<BenchRow> {
    let row: serde_json::Value =
        serde_json::from_str(line).map_err(|e| format!("a row is unreadable: {e}"))?;
    let word = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    Ok(BenchRow {
        what: word("what"),
        value: word("value"),
        budget: word("budget"),
        verdict: row["holds"].as_bool(),
    })
}
