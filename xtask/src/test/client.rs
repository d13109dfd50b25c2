//! The gates of the first load.

use super::context;
use crate::bench::{self, BenchRow};
use crate::client::{self, Build};
use crate::{Result, server};

/// The number of requests of the first load, where it is too high. It is the same in every build of the client.
pub fn requests() -> Result<Vec<String>> {
    context::building(|| client::build(Build::Development))?;
    Ok(broken(&[bench::requests(Build::Development)?]))
}

/// The sizes of the client and of the program, as they are handed on, that are too large.
pub fn sizes() -> Result<Vec<String>> {
    let programs = context::building(server::release)?;
    let mut rows = bench::first_load()?;
    rows.push(bench::size_of(&programs.sash)?);
    Ok(broken(&rows))
}

/// Prints rows. Returns those whose gates do not hold.
fn broken(rows: &[BenchRow]) -> Vec<String> {
    rows.iter().for_each(|row| println!("{row}"));
    let broken = rows.iter().filter(|row| row.verdict == Some(false));
    broken.map(BenchRow::to_string).collect()
}
