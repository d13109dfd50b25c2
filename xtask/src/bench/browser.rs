//! Measurements in a real browser with the release build. The measuring code is in
//! `end2end/bench/`, one file for each part of the table.

use std::fs;
use std::sync::OnceLock;

use super::program::programs;
use super::row::BenchRow;
use crate::{Result, exec, place, tools};

/// Another `sash` program that is measured beside this one: the page's start, and an answer.
pub static AGAINST: OnceLock<String> = OnceLock::new();

/// Runs the measurements of one file and parses their rows.
pub fn measure(spec: &str) -> Result<Vec<BenchRow>> {
    tools::client_tools()?;
    let chromium = tools::CHROMIUM.path()?;
    let programs = programs()?;
    let file = place::scratch().join(format!("bench-{spec}.jsonl"));
    fs::remove_file(&file).ok(); // Usually there is none.
    exec::run(
        exec::command("playwright")
            .args(["test", "--config", "bench.config.ts", "--reporter=line"])
            .arg(spec)
            .current_dir(place::end2end())
            .env("SASH_CHROMIUM", chromium)
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
