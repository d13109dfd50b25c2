//! What is measured in a real browser, with the release build: the measuring itself is `end2end/bench/`, a file for
//! each part of the table.

use std::fs;
use std::sync::OnceLock;

use super::Row;
use crate::{Result, exec, place, server, tools};

/// Another `sash`, beside which the start of the page is measured.
pub static AGAINST: OnceLock<String> = OnceLock::new();

/// How soon the page can be used, and shows the last answer of its log.
pub fn page() -> Result<Vec<Row>> {
    measure("page.spec")
}

/// What the log costs: bytes written for one exchange, and the start with a full log.
pub fn log() -> Result<Vec<Row>> {
    measure("log.spec")
}

/// What an answer costs the main thread, beside a bare page that appends the same text; and how the page stands what
/// is longest and fastest.
pub fn answer() -> Result<Vec<Row>> {
    measure("answer.spec")
}

/// What answers that attack cost: the longest task, and the time until all is shown.
pub fn hostile() -> Result<Vec<Row>> {
    measure("hostile.spec")
}

/// Runs the measurements of one file and reads their rows.
fn measure(spec: &str) -> Result<Vec<Row>> {
    tools::client_tools()?;
    let browser = tools::browser()?;
    let program = server::release()?;
    let stand_in = server::stand_in()?;
    let file = place::scratch().join(format!("bench-{spec}.jsonl"));
    fs::remove_file(&file).ok(); // Usually there is none.
    exec::run(
        exec::command("playwright")
            .args(["test", "--config", "bench.config.ts", "--reporter=line"])
            .arg(spec)
            .current_dir(place::end2end())
            .env("SASH_CHROMIUM", browser.chromium)
            .env("SASH_BIN", program)
            .env("SASH_STAND_IN", stand_in)
            .env("SASH_ROWS", &file)
            .envs(AGAINST.get().map(|program| ("SASH_AGAINST", program))),
    )?;
    let text = fs::read_to_string(&file).map_err(|e| format!("the browser left no rows: {e}"))?;
    text.lines().map(row).collect()
}

fn row(line: &str) -> Result<Row> {
    let row: serde_json::Value =
        serde_json::from_str(line).map_err(|e| format!("a row is unreadable: {e}"))?;
    let word = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    Ok(Row {
        what: word("what"),
        value: word("value"),
        budget: word("budget"),
        verdict: row["holds"].as_bool(),
    })
}
