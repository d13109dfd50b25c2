//! One loaded model.

use super::models::ServedModel;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The only slot of a loaded model, with its last prompt and answer.
#[derive(Default)]
pub struct Slot {
    /// The tokens of the last prompt and its answer: the prompt cache.
    pub cache: Vec<u32>,
}

/// A loaded model.
pub struct Runner {
    pub model: ServedModel,
    /// Load options and `shift`; another value reloads the model.
    pub load: String,
    pub num_ctx: u64,
    pub slot: Arc<tokio::sync::Mutex<Slot>>,
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
