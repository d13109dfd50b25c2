//! The limits of the answers that are kept.

use std::time::Duration;

/// The limits of answers that outlive their page.
#[derive(Clone, Copy, Debug)]
pub struct LingerLimits {
    /// How long an answer goes on without a reader; zero if none is kept.
    pub linger: Duration,
    /// How long the frames of an answer that ended are kept.
    pub ended_time: Duration,
    /// How long an answer without a reader keeps its permit from a prompt that waits for one.
    pub unread_time: Duration,
    /// How long an engine may be silent to a prompt before unread answers of the same model give way to it.
    pub turn_time: Duration,
    /// What a running answer takes besides its frames, in bytes: its connection to the engine with the buffers, and its
    /// task.
    pub running_bytes: usize,
    /// The most bytes of all answers.
    pub bytes: usize,
    /// The most bytes of one client's answers.
    pub bytes_each: usize,
}

impl Default for LingerLimits {
    fn default() -> Self {
        Self {
            linger: Duration::from_secs(600),
            ended_time: Duration::from_secs(120),
            unread_time: Duration::from_secs(15),
            turn_time: Duration::from_secs(5),
            // Measured at the program with thousands of idle ones.
            running_bytes: 34 * 1024,
            bytes: 64 * 1024 * 1024,
            bytes_each: 16 * 1024 * 1024,
        }
    }
}
