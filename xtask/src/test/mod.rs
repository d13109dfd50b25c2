//! `cargo xtask test` and `cargo xtask check`: the checks, one after the other, counted and timed.
//!
//! `--all` adds the stages that need the release build or further browsers, and makes the others run
//! their long tests by setting `SASH_TESTS=all`. A failing stage does not stop the others. The last
//! line is the sum: `N passed, N failed`, and `, N skipped` if there are any.

mod browser;
mod cargo;
mod changed;
mod client;
mod commands;
mod context;
mod counts;
mod cycles;
mod features;
mod fields;
mod links;
mod lint;
mod playwright;
mod rooms;
mod tally;
mod texts;
mod type_sizes;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::Result;
use tally::Tally;

/// One stage: the part it belongs to, its heading, and its function.
struct Stage {
    part: &'static str,
    /// Whether the stage runs only when it is named or with `--all`.
    extra: bool,
    heading: &'static str,
    check: fn() -> Result<Tally>,
}

const STAGES: [Stage; 19] = [
    stage("lint", "Formatting", lint::format),
    stage("lint", "Clippy, server and tests", lint::clippy_native),
    stage("lint", "Clippy, client", lint::clippy_wasm),
    stage("lint", "Supply chain", lint::supply_chain),
    stage("lint", "Cycles of modules", cycles::check),
    stage("lint", "Rooms that the root alone names", rooms::check),
    stage("lint", "Numbers that only fall", counts::check),
    stage("lint", "Texts in the catalogue", texts::check),
    stage("lint", "Fields that no browser keeps", fields::check),
    stage("lint", "Sizes of type", type_sizes::check),
    stage("lint", "Features", features::check),
    stage("lint", "Links of the documents", links::check),
    stage("native", "Native tests", cargo::native),
    stage("wasm", "Tests in the browser's WASM", browser::wasm),
    stage("client", "Requests of the first load", client::requests),
    stage("e2e", "End-to-end tests", playwright::run),
    stage("readme", "Commands of the documents", commands::check),
    extra("smoke", "Firefox and WebKit", playwright::smoke),
    extra("release", "Size of the release", client::sizes),
];

/// The stages of `cargo xtask check`.
const CHECK: [Stage; 11] = [
    stage("", "Formatting", lint::format),
    stage("", "Clippy, server and tests", lint::clippy_native),
    stage("", "Clippy, client", lint::clippy_wasm),
    stage("", "Cycles of modules", cycles::check),
    stage("", "Rooms that the root alone names", rooms::check),
    stage("", "Numbers that only fall", counts::check),
    stage("", "Texts in the catalogue", texts::check),
    stage("", "Fields that no browser keeps", fields::check),
    stage("", "Sizes of type", type_sizes::check),
    stage("", "Links of the documents", links::check),
    stage("", "Native tests of what changed", changed::check),
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
    context::set_exhaustive(all);
    run(STAGES.iter().filter(|stage| chosen(stage, &parts, all)))
}

/// Checks quickly that a change broke nothing: all lints, and the native tests of the packages that
/// changed since the last commit and of those that depend on them.
pub fn check(arguments: &[String]) -> ExitCode {
    if let Some(unknown) = arguments.first() {
        eprintln!("xtask: `cargo xtask check` takes no {unknown}");
        return ExitCode::FAILURE;
    }
    run(CHECK.iter())
}

/// Runs stages and prints their table and sum.
fn run<'a>(stages: impl Iterator<Item = &'a Stage>) -> ExitCode {
    let mut sum = Tally::default();
    let (mut built, mut ran) = (Duration::ZERO, Duration::ZERO);
    let mut lines = vec![line(
        "stage",
        ["built (s)", "ran (s)", "passed", "failed", "skipped"],
    )];
    for stage in stages {
        println!("\n== {} ==", stage.heading);
        let since = Instant::now();
        let tally = (stage.check)().unwrap_or_else(|sentence| {
            println!("FAILED: {sentence}");
            context::note(vec![format!("FAILED: {}: {sentence}", stage.heading)]);
            Tally::FAILED
        });
        let building = context::take_building_time();
        let running = since.elapsed().saturating_sub(building);
        println!("-- {}: {tally}", stage.heading);
        lines.push(row(stage.heading, building, running, tally));
        built += building;
        ran += running;
        sum += tally;
    }
    lines.push(row("all", built, ran, sum));
    println!("\n== Sum ==\n{}\n", lines.join("\n"));
    for note in context::notes() {
        println!("{note}\n");
    }
    println!("{sum}");
    match sum.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// A row of the table.
fn row(heading: &str, built: Duration, ran: Duration, tally: Tally) -> String {
    let seconds = |time: Duration| format!("{:.0}", time.as_secs_f64());
    let numbers = [tally.passed, tally.failed, tally.skipped].map(|number| number.to_string());
    let [passed, failed, skipped] = &numbers;
    line(
        heading,
        [&seconds(built), &seconds(ran), passed, failed, skipped],
    )
}

fn line(heading: &str, columns: [&str; 5]) -> String {
    let columns = columns.map(|column| format!("{column:>10}"));
    format!("{heading:<30}{}", columns.concat())
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
    fn what_takes_long_is_for_those_who_ask() {
        let parts = |named: &[&String], all| -> Vec<_> {
            let stages = STAGES.iter().filter(|stage| chosen(stage, named, all));
            stages.map(|stage| stage.part).collect()
        };
        let [smoke, lint] = ["smoke".to_owned(), "lint".to_owned()];
        assert_eq!(parts(&[], true).len(), STAGES.len());
        assert_eq!(parts(&[], false).len(), STAGES.len() - 2);
        assert!(!parts(&[], false).contains(&"smoke"));
        assert_eq!(parts(&[&smoke], false), ["smoke"]);
        assert_eq!(parts(&[&lint], false), ["lint"; 12]);
    }

    #[test]
    fn the_table_tells_building_from_running() {
        let tally = Tally {
            passed: 7,
            failed: 0,
            skipped: 1,
        };
        let row = row(
            "Native tests",
            Duration::from_secs(61),
            Duration::ZERO,
            tally,
        );
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words, ["Native", "tests", "61", "0", "7", "0", "1"]);
    }
}
