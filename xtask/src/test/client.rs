//! The release build of the client, and the two budgets that are gates.

use super::tally::Tally;
use crate::{Result, bench, client};

/// It builds.
pub fn build() -> Result<Tally> {
    client::build()?;
    Ok(Tally::PASSED)
}

/// It is small enough, and comes in few enough requests.
pub fn gates() -> Result<Tally> {
    let mut tally = Tally::default();
    for row in bench::first_load()? {
        println!("{row}");
        tally += match row.verdict {
            Some(true) => Tally::PASSED,
            Some(false) => Tally::FAILED,
            None => Tally::default(),
        };
    }
    Ok(tally)
}
