//! The context of a stage: what it is told of the run, and what it adds to the report.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Result;

/// Whether tests run in full, including what takes long.
static EXHAUSTIVE: AtomicBool = AtomicBool::new(false);

/// Makes tests run in full, or not.
pub fn set_exhaustive(all: bool) {
    EXHAUSTIVE.store(all, Ordering::Relaxed);
}

/// Passes `SASH_TESTS=all` to a test command when tests run in full.
pub fn with_extent(command: &mut Command) -> &mut Command {
    if is_exhaustive() {
        command.env("SASH_TESTS", "all");
    }
    command
}

/// Whether tests run in full.
pub fn is_exhaustive() -> bool {
    EXHAUSTIVE.load(Ordering::Relaxed)
}

/// Lines repeated below the sum, because often only the end of a long log is kept.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Adds lines to repeat below the sum.
pub fn note(lines: Vec<String>) {
    if let Ok(mut notes) = NOTES.lock() {
        notes.extend(lines);
    }
}

/// The lines added so far.
pub fn notes() -> Vec<String> {
    NOTES.lock().map(|notes| notes.clone()).unwrap_or_default()
}

/// How long the running stage has been building.
static BUILDING: Mutex<Duration> = Mutex::new(Duration::ZERO);

/// Runs a step of a stage that builds, so that the table can tell it from the checks themselves.
pub fn building<T>(step: impl FnOnce() -> Result<T>) -> Result<T> {
    let since = Instant::now();
    let outcome = step();
    if let Ok(mut building) = BUILDING.lock() {
        *building += since.elapsed();
    }
    outcome
}

/// How long steps of stages have been building since the last call.
pub fn take_building_time() -> Duration {
    let time = BUILDING.lock().map(|mut time| std::mem::take(&mut *time));
    time.unwrap_or_default()
}
