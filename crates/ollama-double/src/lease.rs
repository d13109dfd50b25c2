//! The use of a loaded model by one request.

use super::locks::hold;
use super::runner::{Runner, Slot};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, OwnedMutexGuard, watch};

/// The use of a loaded model by one request.
pub struct Lease {
    pub(super) key: String,
    /// The allocated context length.
    pub num_ctx: u64,
    /// How long the request waited for the model to load.
    pub load_time: Duration,
    pub(super) slot: Arc<tokio::sync::Mutex<Slot>>,
    pub(super) gone: watch::Receiver<()>,
    pub(super) runners: Arc<Mutex<HashMap<String, Runner>>>,
    pub(super) freed: Arc<Notify>,
}

impl Lease {
    /// Waits for the model's slot.
    pub async fn slot(&self) -> OwnedMutexGuard<Slot> {
        Arc::clone(&self.slot).lock_owned().await
    }

    /// Resolves when the model has been unloaded.
    pub fn gone(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut gone = self.gone.clone();
        async move { while gone.changed().await.is_ok() {} }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut runners = hold(&self.runners);
        if let Some(runner) = runners.get_mut(&self.key)
            && Arc::ptr_eq(&runner.slot, &self.slot)
        {
            runner.users -= 1;
            runner.idle_since = Instant::now();
            if runner.users == 0 && runner.keep_alive.is_zero() {
                runners.remove(&self.key);
            }
        }
        drop(runners);
        self.freed.notify_waiters();
    }
}
