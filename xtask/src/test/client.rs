//! The release build of the client, and its two gates.

use super::tally::Tally;
use crate::{Result, bench, client};

/// Checks that the client builds.
pub fn build() -> Result<Tally> {
    client::build()?;
    Ok(Tally::PASSED)
}

/// Checks the size and the number of requests of the client.
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
