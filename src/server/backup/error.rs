//! Why the folder cannot be used, and the time of its files.

use sash_calls::{BackupFault, BackupProblem};
use sash_wire::Fault;
use std::time::{SystemTime, UNIX_EPOCH};

/// Why the folder cannot be used, as a sentence for the person.
#[derive(Debug)]
pub struct BackupError(pub String);

/// The fault of a problem with the folder.
pub fn failed(problem: BackupProblem) -> Fault {
    BackupFault::Failed { problem }.into()
}

/// Milliseconds since 1970. Nothing but the age of older versions depends on it.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
