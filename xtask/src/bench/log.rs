//! What the log costs, in a real browser: bytes written for one exchange, and the start with a full log. The
//! measuring itself is `end2end/bench/`.

use std::fs;

use super::Row;
use crate::{Result, exec, place, server, tools};

/// Runs the measurements and reads their rows.
pub fn measure() -> Result<Vec<Row>> {
    tools::client_tools()?;
    let browser = tools::browser()?;
    let program = server::release()?;
    let stand_in = server::stand_in()?;
    let file = place::scratch().join("bench-log.jsonl");
    fs::remove_file(&file).ok(); // Usually there is none.
    exec::run(
        exec::command("playwright")
            .args(["test", "--config", "bench.config.ts", "--reporter=line"])
            .current_dir(place::end2end())
            .env("SASH_CHROMIUM", browser.chromium)
            .env("SASH_BIN", program)
            .env("SASH_STAND_IN", stand_in)
            .env("SASH_ROWS", &file),
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
