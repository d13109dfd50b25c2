//! `cargo xtask test`: runs all checks one after the other and counts them.
//!
//! `--all` adds the stages that need further browsers, and makes the others run their long tests by
//! setting `SASH_TESTS=all`. A failing stage does not stop the others. The last line is the sum:
//! `N passed, N failed`, and `, N skipped` if there are any.

mod browser;
mod cargo;
mod client;
mod lint;
mod playwright;
mod readme;
mod rings;
mod tally;

use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::{Result, exec};
use tally::Tally;

/// One stage: the part it belongs to, its heading, and its function.
struct Stage {
    part: &'static str,
    /// Whether the stage runs only when it is named or with `--all`.
    extra: bool,
    heading: &'static str,
    check: fn() -> Result<Tally>,
}

const STAGES: [Stage; 12] = [
    stage("lint", "Formatting", lint::format),
    stage("lint", "Clippy, server and tests", lint::clippy_native),
    stage("lint", "Clippy, client", lint::clippy_wasm),
    stage("lint", "Supply chain", lint::supply_chain),
    stage("lint", "Rings of modules", rings::check),
    stage("native", "Native tests", cargo::native),
    stage("wasm", "Tests in the browser's WASM", browser::wasm),
    stage("client", "Client, release build", client::build),
    stage("client", "Size of the first load", client::gates),
    stage("e2e", "End-to-end tests", playwright::run),
    extra("smoke", "Firefox and WebKit", playwright::smoke),
    stage("readme", "Commands of the README", readme::check),
];

const fn stage(part: &'static str, heading: &'static str, check: fn() -> Result<Tally>) -> Stage {
    Stage {
        part,
        extra: false,
        heading,
        check,
    }
}

const fn extra(part: &'static str, heading: &'static str, check: fn() -> Result<Tally>) -> Stage {
    Stage {
        extra: true,
        ..stage(part, heading, check)
    }
}

/// Whether tests run in full, including what takes long.
static EXHAUSTIVE: AtomicBool = AtomicBool::new(false);

/// Passes `SASH_TESTS=all` to a test command when tests run in full.
fn with_extent(command: &mut Command) -> &mut Command {
    if EXHAUSTIVE.load(Ordering::Relaxed) {
        command.env("SASH_TESTS", "all");
    }
    command
}

/// Lines repeated below the sum, because often only the end of a long log is kept.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Adds lines to repeat below the sum.
fn note(lines: Vec<String>) {
    if let Ok(mut notes) = NOTES.lock() {
        notes.extend(lines);
    }
}

/// Runs the stages of the named parts; without names, all except the extra ones, and with `--all`
/// those too.
pub fn test(arguments: &[String]) -> ExitCode {
    let (options, parts): (Vec<&String>, Vec<&String>) = arguments
        .iter()
        .partition(|argument| argument.starts_with("--"));
    let all = !options.is_empty();
    if let Some(unknown) = options.iter().find(|option| **option != "--all") {
        eprintln!("xtask: there is no option {unknown}; there is --all");
        return ExitCode::FAILURE;
    }
    if let Some(unknown) = parts
        .iter()
        .find(|part| STAGES.iter().all(|stage| stage.part != **part))
    {
        let mut known: Vec<_> = STAGES.iter().map(|stage| stage.part).collect();
        known.dedup();
        eprintln!(
            "xtask: there is no part {unknown}; there are {}",
            known.join(", ")
        );
        return ExitCode::FAILURE;
    }
    EXHAUSTIVE.store(all, Ordering::Relaxed);
    let mut sum = Tally::default();
    let mut lines = Vec::new();
    for stage in &STAGES {
        if !chosen(stage, &parts, all) {
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

/// Whether a stage runs, given the named parts.
fn chosen(stage: &Stage, parts: &[&String], all: bool) -> bool {
    match parts.is_empty() {
        true => all || !stage.extra,
        false => all || parts.iter().any(|part| *part == stage.part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_browsers_are_for_those_who_ask() {
        let parts = |named: &[&String], all| -> Vec<_> {
            let stages = STAGES.iter().filter(|stage| chosen(stage, named, all));
            stages.map(|stage| stage.part).collect()
        };
        let [smoke, lint] = ["smoke".to_owned(), "lint".to_owned()];
        assert_eq!(parts(&[], true).len(), STAGES.len());
        assert_eq!(parts(&[], false).len(), STAGES.len() - 1);
        assert!(!parts(&[], false).contains(&"smoke"));
        assert_eq!(parts(&[&smoke], false), ["smoke"]);
        assert_eq!(parts(&[&lint], false), ["lint"; 5]);
    }
}
