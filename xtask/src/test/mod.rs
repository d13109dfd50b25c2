//! `cargo xtask test`: every check there is, one after the other, counted.
//!
//! A stage that fails does not stop the others. The last line is the sum: `N passed, N failed`, and
//! `, N skipped` where there are any.

mod browser;
mod cargo;
mod client;
mod lint;
mod playwright;
mod readme;
mod tally;

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use crate::{Result, exec};
use tally::Tally;

/// One stage: which part it belongs to, its heading, and what it does.
struct Stage {
    part: &'static str,
    heading: &'static str,
    check: fn() -> Result<Tally>,
}

const STAGES: [Stage; 10] = [
    stage("lint", "Formatting", lint::format),
    stage("lint", "Clippy, server and tests", lint::clippy_native),
    stage("lint", "Clippy, client", lint::clippy_wasm),
    stage("lint", "Supply chain", lint::supply_chain),
    stage("native", "Native tests", cargo::native),
    stage("wasm", "Tests in the browser's WASM", browser::wasm),
    stage("client", "Client, release build", client::build),
    stage("client", "Size of the first load", client::gates),
    stage("e2e", "End-to-end tests", playwright::run),
    stage("readme", "Commands of the README", readme::check),
];

const fn stage(part: &'static str, heading: &'static str, check: fn() -> Result<Tally>) -> Stage {
    Stage {
        part,
        heading,
        check,
    }
}

/// What is told again under the sum: of a long run often only the end is kept.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Has something told again under the sum.
fn note(lines: Vec<String>) {
    if let Ok(mut notes) = NOTES.lock() {
        notes.extend(lines);
    }
}

/// Runs the stages of the parts named, or all.
pub fn test(parts: &[String]) -> ExitCode {
    if let Some(unknown) = parts
        .iter()
        .find(|part| STAGES.iter().all(|stage| stage.part != *part))
    {
        let mut known: Vec<_> = STAGES.iter().map(|stage| stage.part).collect();
        known.dedup();
        eprintln!(
            "xtask: there is no part {unknown}; there are {}",
            known.join(", ")
        );
        return ExitCode::FAILURE;
    }
    let mut sum = Tally::default();
    let mut lines = Vec::new();
    for stage in &STAGES {
        if !parts.is_empty() && !parts.iter().any(|part| part == stage.part) {
            continue;
        }
        println!("\n== {} ==", stage.heading);
        let since = Instant::now();
        let tally = (stage.check)().unwrap_or_else(|sentence| {
            println!("FAILED: {sentence}");
            note(vec![format!("FAILED: {}: {sentence}", stage.heading)]);
            Tally::FAILED
        });
        let line = format!("{:<28} {tally} ({})", stage.heading, exec::seconds(since));
        println!("-- {line}");
        lines.push(line);
        sum += tally;
    }
    println!("\n== Sum ==\n{}\n", lines.join("\n"));
    for note in NOTES.lock().iter().flat_map(|notes| notes.iter()) {
        println!("{note}\n");
    }
    println!("{sum}");
    match sum.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
