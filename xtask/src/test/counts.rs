//! Checks that no number rose that only falls: see [`crate::count`].

use super::tally::Tally;
use crate::{Result, count};

/// Fails on a number that rose, and on one that fell and is not written down.
pub fn check() -> Result<Tally> {
    let problems = count::problems()?;
    for problem in &problems {
        println!("{problem}");
    }
    Ok(match problems.is_empty() {
        true => Tally::PASSED,
        false => Tally::FAILED,
    })
}
