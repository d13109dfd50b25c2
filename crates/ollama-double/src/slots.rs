//! Loaded models, each with its slots (by default one); loading, unloading, and the queue for loads.

use super::config::Config;
use super::decode::RequestRefusal;
use super::lease::Lease;
use super::locks::hold;
use super::models::{AnswerStyle, ServedModel};
use super::runner::{Runner, SharedSlot};
use hyper::StatusCode;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{Notify, watch};

/// All loaded models.
#[derive(Default)]
pub struct Slots {
    runners: Arc<Mutex<HashMap<String, Runner>>>,
    waiting: Arc<AtomicUsize>,
    loading: tokio::sync::Mutex<()>,
    freed: Arc<Notify>,
}

/// What a request needs from a model.
pub struct SlotRequest {
    /// The model.
    pub model: ServedModel,
    /// The load options.
    pub load: String,
    /// `options.num_ctx`.
    pub num_ctx: Option<u64>,
    /// `keep_alive`.
    pub keep_alive: Option<Duration>,
}

/// An entry of `/api/ps`.
pub struct Loaded {
    /// The model.
    pub model: ServedModel,
    /// The allocated context length.
    pub num_ctx: u64,
    /// When it is unloaded.
    pub expires: SystemTime,
}

/// A request that is waiting for a load.
struct LoadWaiter(Arc<AtomicUsize>);

impl Drop for LoadWaiter {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Slots {
    /// Loads the model if necessary. Does not wait for the slot, which [`Lease::slot`] takes.
    pub async fn acquire(
        &self,
        want: SlotRequest,
        config: &Config,
    ) -> Result<Lease, RequestRefusal> {
        let arrived = Instant::now();
        let key = want.model.key();
        let num_ctx = want.num_ctx.unwrap_or(config.num_ctx);
        let num_ctx = num_ctx.max(4).min(want.model.trained);
        let load = format!("{}num_ctx={num_ctx}", want.load);
        if let Some(lease) = self.running(&key, &load, want.keep_alive, arrived) {
            return Ok(lease);
        }
        if self.waiting.fetch_add(1, SeqCst) >= config.max_queue {
            self.waiting.fetch_sub(1, SeqCst);
            return Err(RequestRefusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "server busy, please try again.  maximum pending requests exceeded",
            ));
        }
        let _waiting = LoadWaiter(Arc::clone(&self.waiting));
        // Loads are sequential; after waiting, another request may have loaded the model already.
        let _loading = self.loading.lock().await;
        loop {
            let freed = self.freed.notified();
            if let Some(lease) = self.running(&key, &load, want.keep_alive, arrived) {
                return Ok(lease);
            }
            if make_room(&mut hold(&self.runners), &key, config.max_loaded) {
                break;
            }
            freed.await;
        }
        tokio::time::sleep(config.load_time).await;
        if want.model.voice == AnswerStyle::Broken {
            let line =
                "error loading model: check_tensor_dims: tensor 'blk.0.ffn_gate.weight' not found";
            return Err(RequestRefusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("llama-server process has terminated: exit status 1: {line}\n{line}"),
            ));
        }
        let mut runners = hold(&self.runners);
        let runner = runners.entry(key.clone()).or_insert_with(|| Runner {
            model: want.model,
            load,
            num_ctx,
            slots: (0..config.parallel).map(|_| SharedSlot::new()).collect(),
            gone: watch::Sender::new(()),
            users: 0,
            keep_alive: want.keep_alive.unwrap_or(config.keep_alive),
            idle_since: Instant::now(),
        });
        Ok(self.lease(&key, runner, arrived))
    }

    /// A lease of the model if it is loaded with these options.
    fn running(
        &self,
        key: &str,
        load: &str,
        keep_alive: Option<Duration>,
        arrived: Instant,
    ) -> Option<Lease> {
        let mut runners = hold(&self.runners);
        expire(&mut runners);
        let runner = runners.get_mut(key).filter(|runner| runner.load == load)?;
        if let Some(keep_alive) = keep_alive {
            runner.keep_alive = keep_alive;
        }
        Some(self.lease(key, runner, arrived))
    }

    fn lease(&self, key: &str, runner: &mut Runner, arrived: Instant) -> Lease {
        runner.users += 1;
        Lease {
            key: key.to_owned(),
            num_ctx: runner.num_ctx,
            load_time: arrived.elapsed().max(Duration::from_micros(700)),
            slots: Arc::clone(&runner.slots),
            gone: runner.gone.subscribe(),
            runners: Arc::clone(&self.runners),
            freed: Arc::clone(&self.freed),
        }
    }

    /// Unloads a model, at once or when the requests that use it have ended. Also ends a stuck generation
    /// without a client.
    pub fn unload(&self, key: &str) {
        let mut runners = hold(&self.runners);
        if let Some(runner) = runners.get_mut(key) {
            runner.keep_alive = Duration::ZERO;
        }
        expire(&mut runners);
        drop(runners);
        self.freed.notify_waiters();
    }

    /// Of each slot of a loaded model, the tokens that it has said of the answer which it generates; `None` for an idle one.
    pub fn said(&self, key: &str) -> Vec<Option<u64>> {
        let runners = hold(&self.runners);
        let slots = runners.get(key).map(|runner| Arc::clone(&runner.slots));
        let said = |shared: &SharedSlot| match shared.slot.try_lock() {
            Ok(_) => None,
            Err(_) => Some(shared.said.load(SeqCst)),
        };
        slots
            .iter()
            .flat_map(|slots| slots.iter().map(said))
            .collect()
    }

    /// Unloads every model that is not listed.
    pub fn keep_only(&self, keys: &[String]) {
        hold(&self.runners).retain(|key, _| keys.contains(key));
        self.freed.notify_waiters();
    }

    /// The loaded models, longest remaining time first.
    pub fn loaded(&self) -> Vec<Loaded> {
        let mut runners = hold(&self.runners);
        expire(&mut runners);
        let mut all: Vec<&Runner> = runners.values().collect();
        all.sort_by_key(|runner| std::cmp::Reverse(runner.until_unloaded()));
        let century = Duration::from_secs(9_223_372_036);
        all.into_iter()
            .map(|runner| Loaded {
                model: runner.model.clone(),
                num_ctx: runner.num_ctx,
                expires: SystemTime::now() + runner.until_unloaded().min(century),
            })
            .collect()
    }
}

/// Removes models whose time has run out.
fn expire(runners: &mut HashMap<String, Runner>) {
    runners.retain(|_, runner| runner.users > 0 || !runner.until_unloaded().is_zero());
}

/// Unloads whatever prevents a load; false if that is in use.
fn make_room(runners: &mut HashMap<String, Runner>, key: &str, max_loaded: usize) -> bool {
    if let Some(same) = runners.get(key) {
        if same.users > 0 {
            return false;
        }
        runners.remove(key);
    }
    while runners.len() >= max_loaded.max(1) {
        let idle = runners.iter().filter(|(_, runner)| runner.users == 0);
        let Some(key) = idle
            .min_by_key(|(_, r)| r.idle_since)
            .map(|(key, _)| key.clone())
        else {
            return false;
        };
        runners.remove(&key);
    }
    true
}
