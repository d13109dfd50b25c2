//! `cargo xtask bench`: the budgets, measured and printed as a table.
//!
//! One file for each measurement; add a new one to [`MEASUREMENTS`]. Sizes and counts are gates.
//! Times are only reported, because they depend on the machine.

mod browser;
mod page;
pub mod probe;
mod program;
mod recall;
mod relay;
mod row;
mod search;
mod upstream;

use std::sync::atomic::Ordering;

use crate::Result;

pub use page::{first_load, loaded, requests};
use program::DEVELOPMENT;
pub use program::size_of;
pub use row::BenchRow;

/// Runs a measurement and returns its rows of the table.
type Measurement = fn() -> Result<Vec<BenchRow>>;

/// The measurements in the order of the table, each with the name that selects it: `cargo xtask
/// bench start`.
const MEASUREMENTS: [(&str, Measurement); 10] = [
    ("page", page::measure),
    ("size", program::size),
    ("start", program::start),
    ("memory", program::memory),
    ("relay", relay::measure),
    ("log", || browser::measure("log.spec")),
    ("answer", || browser::measure("answer.spec")),
    ("hostile", || browser::measure("hostile.spec")),
    ("search", search::measure),
    ("recall", recall::measure),
];

/// Runs the named measurements, or all. Returns an error when a gate does not hold or a measurement
/// fails.
///
/// `--development` measures what `cargo xtask run` starts instead of the release. `--against PROGRAM` names another `sash`: `page` and `answer` measure it in the same run, in turns. `recall FILE…`
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
                table.extend(rows.iter().map(BenchRow::to_string));
            }
            Err(why) => failed.push(format!("{name}: {why}")),
        }
    }
    println!(
        "{}",
        BenchRow::reported(
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
