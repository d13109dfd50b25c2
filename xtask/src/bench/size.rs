//! The size of the release program.

use std::fs;
use std::path::Path;

use super::row::BenchRow;
use crate::{Result, server};

/// The limit, in bytes. The page in three encodings, grammars and character maps are in it.
const GATE: u64 = 20_000_000;

/// Builds the release and measures it.
pub fn measure() -> Result<Vec<BenchRow>> {
    Ok(vec![program(&server::release()?.sash)?])
}

/// The size of a program.
pub fn program(file: &Path) -> Result<BenchRow> {
    let bytes = fs::metadata(file)
        .map_err(|e| format!("{} is not readable: {e}", file.display()))?
        .len();
    Ok(BenchRow::gate(
        "the program",
        format!("{:.1} MB", bytes as f64 / 1e6),
        &format!("at most {} MB", GATE / 1_000_000),
        bytes <= GATE,
    ))
}
