//! Turns: the requests of one kind that run at once.

use sash_wire::Fault;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The turns of what runs a few at a time. The copies of one value share them.
#[derive(Clone, Debug)]
pub struct Turns {
    turns: Arc<Semaphore>,
    at_once: usize,
    wait: Duration,
}

impl Turns {
    /// So many turns at once, for each of which a request waits so long.
    #[must_use]
    pub fn new(at_once: usize, wait: Duration) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(at_once)),
            at_once,
            wait,
        }
    }

    /// How many there are at once.
    #[must_use]
    pub fn at_once(&self) -> usize {
        self.at_once
    }

    /// Waits for a turn, up to the limit.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if no turn is free in time.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit, Fault> {
        if let Ok(turn) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(turn);
        }
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = tokio::time::timeout(self.wait, turn).await;
        let limit = self.at_once;
        turn.ok()
            .and_then(Result::ok)
            .ok_or(Fault::TooManyAnswers { limit })
    }
}
