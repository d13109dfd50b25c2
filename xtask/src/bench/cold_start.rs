//! The time from the command to the first response.

use super::probe;
use super::programs::programs;
use super::row::BenchRow;
use crate::{Result, place};

const RUNS: usize = 9;

/// The median of a few starts, with the program in the disk cache.
pub fn measure() -> Result<Vec<BenchRow>> {
    let program = programs()?.sash;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(probe::Server::start(&program, &place::scratch())?.started_in);
    }
    times.sort();
    Ok(vec![BenchRow::reported(
        "cold start of the binary",
        format!(
            "{:.1} ms median of {RUNS} ({:.1} to {:.1})",
            times[RUNS / 2].as_secs_f64() * 1e3,
            times[0].as_secs_f64() * 1e3,
            times[RUNS - 1].as_secs_f64() * 1e3,
        ),
        "under 50 ms",
    )])
}
