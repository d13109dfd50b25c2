//! The gates of the first load.

use super::context;
use super::tally::Tally;
use crate::bench::{self, BenchRow};
use crate::client::{self, Build};
use crate::{Result, bench::size, server};

/// Checks the number of requests of the first load. It is the same in every build of the client.
pub fn requests() -> Result<Tally> {
    context::building(|| client::build(Build::Development))?;
    Ok(count_gates(vec![bench::requests(Build::Development)?]))
}

/// Checks the sizes of the client and of the program, as they are handed on.
pub fn sizes() -> Result<Tally> {
    let programs = context::building(server::release)?;
    let mut rows = bench::first_load()?;
    rows.push(size::program(&programs.sash)?);
    Ok(count_gates(rows))
}

/// Prints rows and counts their gates.
fn count_gates(rows: Vec<BenchRow>) -> Tally {
    let mut tally = Tally::default();
    for row in rows {
        println!("{row}");
        tally += match row.verdict {
            Some(true) => Tally::PASSED,
            Some(false) => Tally::FAILED,
            None => Tally::default(),
        };
    }
    tally
}
