//! The limits of syntax highlighting.

use std::path::PathBuf;
use std::time::Duration;

/// The limits of syntax highlighting.
#[derive(Clone, Debug)]
pub struct Highlighting {
    /// Blocks at once. Each uses a processor core.
    pub at_once: usize,
    /// How long a block waits for a turn before it is refused.
    pub wait: Duration,
    /// The largest block in bytes; a larger one is not highlighted.
    pub bytes: usize,
    /// The longest line in bytes; a longer one is not highlighted. This bounds a single step, because nothing
    /// can stop a regex within a line.
    pub line: usize,
    /// Time limit for a block. The rest stays plain.
    pub time: Duration,
    /// The most bytes of memory of the process that highlights a block.
    pub memory_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

impl Default for Highlighting {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(2),
            bytes: 50 * 1024,
            line: 1000,
            // Compiling TypeScript's grammar alone takes half a second, more on a busy machine.
            time: Duration::from_secs(3),
            // TypeScript's grammar takes 100 MB.
            memory_bytes: 512 * 1024 * 1024,
            program: std::env::current_exe().ok(),
        }
    }
}
