//! The limits of reading documents.

use std::path::PathBuf;
use std::time::Duration;

/// The limits of reading documents.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// Documents at once. Each uses a processor core, and its memory.
    pub at_once: usize,
    /// How long a document waits for a turn before it is refused.
    pub wait: Duration,
    /// Time limit for a document.
    pub time: Duration,
    /// The most bytes of memory of the process that reads a document.
    pub memory_bytes: usize,
    /// The most bytes of text of a document; what is beyond is left out, which the answer says.
    pub text_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

impl Default for Extraction {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(5),
            time: Duration::from_secs(20),
            memory_bytes: 1024 * 1024 * 1024,
            text_bytes: 2_000_000,
            program: std::env::current_exe().ok(),
        }
    }
}
