//! Faults at the level of the socket.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The faults of one connection.
#[derive(Default)]
pub struct Faults {
    bytes: AtomicUsize,
    wait_us: AtomicU64,
    reset: AtomicBool,
}

impl Faults {
    /// Limits each write to that many bytes (0: no limit), with a pause in microseconds between writes.
    pub fn split(&self, bytes: usize, wait_us: u64) {
        self.bytes.store(bytes, Relaxed);
        self.wait_us.store(wait_us, Relaxed);
    }

    /// Resets the connection instead of closing it.
    pub fn reset(&self) {
        self.reset.store(true, Relaxed);
    }

    /// The most bytes per write; 0 means no limit.
    pub fn most_bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The pause between two writes.
    pub fn pause(&self) -> Duration {
        Duration::from_micros(self.wait_us.load(Relaxed))
    }

    /// Whether the connection is reset instead of closed.
    pub fn is_reset(&self) -> bool {
        self.reset.load(Relaxed)
    }
}
