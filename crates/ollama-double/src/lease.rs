//! The use of a loaded model by one request.

use super::locks::hold;
use super::runner::{Runner, SharedSlot, Slot};
use futures::future::select_all;
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
    pub(super) slots: Arc<[SharedSlot]>,
    pub(super) gone: watch::Receiver<()>,
    pub(super) runners: Arc<Mutex<HashMap<String, Runner>>>,
    pub(super) freed: Arc<Notify>,
}

impl Lease {
    /// Waits for a slot of the model.
    pub async fn slot(&self) -> OwnedMutexGuard<Slot> {
        let slots = self.slots.iter();
        let locks = slots.map(|shared| Box::pin(Arc::clone(&shared.slot).lock_owned()));
        select_all(locks).await.0
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
            && Arc::ptr_eq(&runner.slots, &self.slots)
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
