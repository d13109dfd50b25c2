//! `cargo xtask bench`: the budgets, measured and printed as a table.
//!
//! One file for each measurement; add a new one to [`MEASUREMENTS`]. Sizes and counts are gates.
//! Times are only reported, because they depend on the machine.

mod browser;
mod cold_start;
mod memory;
mod page;
pub mod probe;
mod recall;
mod relay;
mod search;
pub mod size;
mod upstream;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;
use crate::server::{self, Programs};

pub use page::{first_load, loaded, requests};

/// One line of the table.
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The value, with its unit.
    pub value: String,
    /// The budget; empty if there is none.
    pub budget: String,
    /// Whether the gate holds; `None` if the row is not a gate.
    pub verdict: Option<bool>,
}

impl Row {
    /// A row that is only reported.
    pub fn reported(what: impl Into<String>, value: String, budget: &str) -> Self {
        Self {
            what: what.into(),
            value,
            budget: budget.to_owned(),
            verdict: None,
        }
    }

    /// A row that must hold.
    pub fn gate(what: impl Into<String>, value: String, budget: &str, holds: bool) -> Self {
        Self {
            verdict: Some(holds),
            ..Self::reported(what, value, budget)
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verdict = match self.verdict {
            Some(true) => "holds",
            Some(false) => "FAILED",
            None => "",
        };
        let line = format!(
            "{:<52} {:<42} {:<34} {verdict}",
            self.what, self.value, self.budget
        );
        f.write_str(line.trim_end())
    }
}

/// Whether the programs of `cargo xtask run` are measured, and not the release.
static DEVELOPMENT: AtomicBool = AtomicBool::new(false);

/// Builds the programs that are measured.
fn programs() -> Result<Programs> {
    match DEVELOPMENT.load(Ordering::Relaxed) {
        true => server::development(),
        false => server::release(),
    }
}

/// Runs a measurement and returns its rows of the table.
type Measurement = fn() -> Result<Vec<Row>>;

/// The measurements in the order of the table, each with the name that selects it: `cargo xtask
/// bench start`.
const MEASUREMENTS: [(&str, Measurement); 10] = [
    ("page", page::measure),
    ("size", size::measure),
    ("start", cold_start::measure),
    ("memory", memory::measure),
    ("relay", relay::measure),
    ("log", browser::log),
    ("answer", browser::answer),
    ("hostile", browser::hostile),
    ("search", search::measure),
    ("recall", recall::measure),
];

/// Runs the named measurements, or all. Returns an error when a gate does not hold or a measurement
/// fails.
///
/// `--development` measures what `cargo xtask run` starts instead of the release. `--against PROGRAM` names another `sash`, whose page start is measured in the same run. `recall FILE…`
/// measures the recall on other dialogues than those of the repository.
pub fn bench(arguments: &[String]) -> Result {
    if let [part, files @ ..] = arguments
        && part == "recall"
        && files
            .iter()
            .any(|file| MEASUREMENTS.iter().all(|(name, _)| name != file))
    {
        return recall::files(files);
    }
    let mut parts = arguments.to_vec();
    if let Some(at) = parts.iter().position(|part| part == "--against") {
        let named = parts.drain(at..parts.len().min(at + 2)).nth(1);
        let program = named.ok_or("--against wants the path of another sash")?;
        browser::AGAINST.set(program).ok(); // Set once: here.
    }
    if let Some(at) = parts.iter().position(|part| part == "--development") {
        parts.remove(at);
        DEVELOPMENT.store(true, Ordering::Relaxed);
    }
    let mut failed = Vec::new();
    let mut table = Vec::new();
    for (name, measure) in MEASUREMENTS {
        if !parts.is_empty() && !parts.iter().any(|part| part == name) {
            continue;
        }
        match measure() {
            Ok(rows) => {
                failed.extend(
                    rows.iter()
                        .filter(|row| row.verdict == Some(false))
                        .map(|row| format!("{} is {}, not {}", row.what, row.value, row.budget)),
                );
                table.extend(rows.iter().map(Row::to_string));
            }
            Err(why) => failed.push(format!("{name}: {why}")),
        }
    }
    println!(
        "{}",
        Row::reported(
            "what",
            "measured".into(),
            "budget (times are told, not gated)"
        )
    );
    println!("{}", table.join("\n"));
    match failed.as_slice() {
        [] => Ok(()),
        some => Err(some.join("\n")),
    }
}
