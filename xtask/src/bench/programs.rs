//! The programs that are measured.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;
use crate::server::{self, Programs};

/// Whether the programs of `cargo xtask run` are measured, and not the release.
pub static DEVELOPMENT: AtomicBool = AtomicBool::new(false);

/// Builds the programs that are measured.
pub fn programs() -> Result<Programs> {
    match DEVELOPMENT.load(Ordering::Relaxed) {
        true => server::development(),
        false => server::release(),
    }
}
