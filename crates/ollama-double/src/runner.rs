//! One loaded model.

use super::models::ServedModel;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A slot of a loaded model, with its last prompt and answer.
#[derive(Default)]
pub struct Slot {
    /// The tokens of the last prompt and its answer: the prompt cache.
    pub cache: Vec<u32>,
    /// The tokens of its answer so far.
    pub said: Arc<AtomicU64>,
}

/// A slot as all requests share it.
pub struct SharedSlot {
    /// Locked while an answer is generated in it.
    pub slot: Arc<tokio::sync::Mutex<Slot>>,
    /// [`Slot::said`], which can be read while the slot is locked.
    pub said: Arc<AtomicU64>,
}

impl SharedSlot {
    /// An empty slot.
    pub fn new() -> Self {
        let slot = Slot::default();
        Self {
            said: Arc::clone(&slot.said),
            slot: Arc::new(tokio::sync::Mutex::new(slot)),
        }
    }
}

/// A loaded model.
pub struct Runner {
    pub model: ServedModel,
    /// Load options and `shift`; another value reloads the model.
    pub load: String,
    pub num_ctx: u64,
    pub slots: Arc<[SharedSlot]>,
    /// Closed when the model is unloaded.
    pub gone: watch::Sender<()>,
    pub users: usize,
    pub keep_alive: Duration,
    pub idle_since: Instant,
}

impl Runner {
    /// The time until it is unloaded; `MAX` for ever.
    pub fn until_unloaded(&self) -> Duration {
        if self.users > 0 || self.keep_alive == Duration::MAX {
            return self.keep_alive;
        }
        self.keep_alive.saturating_sub(self.idle_since.elapsed())
    }
}
