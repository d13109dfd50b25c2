//! The faults that only a socket can have.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// What is wrong with a connection.
#[derive(Default)]
pub struct Faults {
    bytes: AtomicUsize,
    wait_us: AtomicU64,
    reset: AtomicBool,
}

impl Faults {
    /// At most so many bytes a write (0: no limit), with so many microseconds between writes.
    pub fn split(&self, bytes: usize, wait_us: u64) {
        self.bytes.store(bytes, Relaxed);
        self.wait_us.store(wait_us, Relaxed);
    }

    /// The connection is reset instead of closed.
    pub fn reset(&self) {
        self.reset.store(true, Relaxed);
    }

    /// The most bytes of a write; 0 is no limit.
    pub fn most_bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// How long the connection rests between two writes.
    pub fn pause(&self) -> Duration {
        Duration::from_micros(self.wait_us.load(Relaxed))
    }

    /// Whether the connection is reset instead of closed.
    pub fn is_reset(&self) -> bool {
        self.reset.load(Relaxed)
    }
}
