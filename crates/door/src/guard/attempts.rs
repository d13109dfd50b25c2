//! Counts wrong secrets, so that none is found by trying.

use super::client::client_network;
use sash_wire::Fault;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most wrong secrets from one address within [`ATTEMPT_WINDOW`].
const MAX_ATTEMPTS: u32 = 10;
const ATTEMPT_WINDOW: Duration = Duration::from_secs(60);
/// The most addresses whose attempts are counted; beyond this the oldest count is dropped.
const MAX_COUNTED_CLIENTS: usize = 1024;

/// The wrong secrets of the last minute, by the network that they came from.
#[derive(Debug, Default)]
pub struct FailedAttempts(Mutex<HashMap<IpAddr, (u32, Instant)>>);

impl FailedAttempts {
    /// Counts a wrong secret.
    ///
    /// # Errors
    /// [`Fault::TooManyAttempts`] after ten from the same network within a minute.
    pub fn count(&self, client: IpAddr) -> Result<(), Fault> {
        let client = client_network(client);
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.retain(|_, (_, since)| since.elapsed() < ATTEMPT_WINDOW);
        let count = failures.get(&client).map_or(0, |(count, _)| *count);
        if count >= MAX_ATTEMPTS {
            return Err(Fault::TooManyAttempts);
        }
        if failures.len() >= MAX_COUNTED_CLIENTS
            && let Some(oldest) = failures
                .iter()
                .min_by_key(|(_, (_, at))| *at)
                .map(|(ip, _)| *ip)
        {
            failures.remove(&oldest);
        }
        failures.entry(client).or_insert((0, Instant::now())).0 += 1;
        Ok(())
    }
}
