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
mod cycles;
mod features;
mod fields;
mod links;
mod lint;
mod package;
mod playwright;
mod rooms;
mod systems;
mod tally;
mod texts;
mod type_sizes;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::{Result, count};
use tally::Tally;

/// A stage: the part it belongs to, its heading, what it does, and when.
type Stage = (&'static str, &'static str, Check, When);

/// What a stage does.
#[derive(Clone, Copy)]
enum Check {
    /// Returns what is wrong, a line each.
    Lint(fn() -> Result<Vec<String>>),
    /// Runs a command, which says itself what is wrong.
    Command(fn() -> Result),
    /// Runs tests and counts them.
    Tests(fn() -> Result<Tally>),
}

/// When a stage runs besides `cargo xtask test --all`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In `cargo xtask check` and `cargo xtask test`.
    Always,
    /// In `cargo xtask check` alone.
    Check,
    /// In `cargo xtask test`.
    Test,
    /// If it is named.
    Named,
}

use Check::{Command, Lint, Tests};

#[rustfmt::skip]
const STAGES: [Stage; 26] = [
    ("lint", "Formatting", Command(lint::format), When::Always),
    ("lint", "Clippy, server and tests", Command(lint::clippy_native), When::Always),
    ("lint", "Clippy, client", Command(lint::clippy_wasm), When::Always),
    ("lint", "Supply chain", Tests(lint::supply_chain), When::Test),
    ("lint", "Cycles of modules", Lint(cycles::check), When::Always),
    ("lint", "Rooms that the root alone names", Lint(rooms::check), When::Always),
    ("lint", "Numbers that only fall", Lint(count::problems), When::Always),
    ("lint", "Texts in the catalogue", Lint(texts::check), When::Always),
    ("lint", "Fields that no browser keeps", Lint(fields::check), When::Always),
    ("lint", "Sizes of type", Lint(type_sizes::check), When::Always),
    ("lint", "Features", Lint(features::check), When::Test),
    ("lint", "Links of the documents", Lint(links::check), When::Always),
    ("lint", "Places that know the system", Lint(systems::check), When::Always),
    ("changed", "Native tests of what changed", Tests(changed::check), When::Check),
    ("native", "Native tests", Tests(cargo::native), When::Test),
    ("wasm", "Tests in the browser's WASM", Tests(browser::wasm), When::Test),
    ("client", "Requests of the first load", Lint(client::requests), When::Test),
    ("e2e", "End-to-end tests", Tests(playwright::run), When::Test),
    ("readme", "Commands of the documents", Tests(commands::check), When::Test),
    ("smoke", "Firefox and WebKit", Tests(playwright::smoke), When::Named),
    ("release", "Size of the release", Lint(client::sizes), When::Named),
    ("package", "Service, agent and compose file", Tests(package::files), When::Test),
    ("package", "Steps of the release", Tests(package::workflow), When::Named),
    ("package", "Program in an empty root", Tests(package::empty_root), When::Named),
    ("package", "Program that is replaced", Tests(package::replaced), When::Named),
    ("package", "Debian package in a Debian", Tests(package::debian), When::Named),
];

impl Check {
    fn run(self) -> Result<Tally> {
        match self {
            Self::Tests(tests) => tests(),
            Self::Command(command) => command().map(|()| Tally::PASSED),
            Self::Lint(lint) => {
                let problems = lint()?;
                problems.iter().for_each(|problem| println!("{problem}"));
                Ok(match problems.is_empty() {
                    true => Tally::PASSED,
                    false => Tally::FAILED,
                })
            }
        }
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
        .find(|part| STAGES.iter().all(|stage| stage.0 != **part))
    {
        let mut known: Vec<_> = STAGES.iter().map(|stage| stage.0).collect();
        known.dedup();
        eprintln!(
            "xtask: there is no part {unknown}; there are {}",
            known.join(", ")
        );
        return ExitCode::FAILURE;
    }
    context::set_exhaustive(all);
    run(STAGES.iter().filter(|stage| is_chosen(stage, &parts, all)))
}

/// Checks quickly that a change broke nothing: all lints, and the native tests of the packages that
/// changed since the last commit and of those that depend on them.
pub fn check(arguments: &[String]) -> ExitCode {
    if let Some(unknown) = arguments.first() {
        eprintln!("xtask: `cargo xtask check` takes no {unknown}");
        return ExitCode::FAILURE;
    }
    let in_check = |stage: &&Stage| matches!(stage.3, When::Always | When::Check);
    run(STAGES.iter().filter(in_check))
}

/// Runs stages and prints their table and sum.
fn run<'a>(stages: impl Iterator<Item = &'a Stage>) -> ExitCode {
    let mut sum = Tally::default();
    let (mut built, mut ran) = (Duration::ZERO, Duration::ZERO);
    let mut lines = vec![line(
        "stage",
        ["built (s)", "ran (s)", "passed", "failed", "skipped"],
    )];
    for (_, heading, check, _) in stages {
        println!("\n== {heading} ==");
        let since = Instant::now();
        let tally = check.run().unwrap_or_else(|sentence| {
            println!("FAILED: {sentence}");
            context::note(vec![format!("FAILED: {heading}: {sentence}")]);
            Tally::FAILED
        });
        let building = context::take_building_time();
        let running = since.elapsed().saturating_sub(building);
        println!("-- {heading}: {tally}");
        lines.push(row(heading, building, running, tally));
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
fn is_chosen((part, _, _, when): &Stage, parts: &[&String], all: bool) -> bool {
    let is_named = parts.iter().any(|named| *named == part);
    match when {
        When::Check => is_named,
        When::Named => all || is_named,
        When::Always | When::Test => all || is_named || parts.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_for_those_who_ask() {
        let parts = |named: &[&String], all| -> Vec<_> {
            let stages = STAGES.iter().filter(|stage| is_chosen(stage, named, all));
            stages.map(|stage| stage.0).collect()
        };
        let [smoke, lint] = ["smoke".to_owned(), "lint".to_owned()];
        assert_eq!(parts(&[], true).len(), STAGES.len() - 1);
        assert_eq!(parts(&[], false).len(), STAGES.len() - 7);
        assert!(!parts(&[], false).contains(&"smoke"));
        assert_eq!(parts(&[&smoke], false), ["smoke"]);
        assert_eq!(parts(&[&lint], false), ["lint"; 13]);
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
