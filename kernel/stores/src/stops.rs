//! The answers that the server is to stop. A connection that breaks does not stop an answer that the server keeps, so
//! whoever stops one says so to the server, again until the server confirms it: the network may be gone, and the page
//! too before it is back.

use crate::edges::Edges;
use crate::storage::Storage;
use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{UpdateValue, WithValue};
use sash_chat::AnswerId;
use sash_wire::{Fault, StopRequest};
use std::collections::BTreeSet;
use std::time::Duration;

/// The pause after the first request that failed; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// How long a page that is about to be reloaded waits for the server.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// How often it looks whether the server has confirmed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The stops that the server has not confirmed.
#[derive(Clone, Copy)]
pub struct Stops {
    edges: Edges,
    storage: Storage,
    /// Those that this tab is sending.
    sending: StoredValue<BTreeSet<AnswerId>>,
}

impl Stops {
    /// Creates the store, and sends what a former page could not.
    #[must_use]
    pub fn new(edges: Edges, storage: Storage) -> Self {
        let stops = Self {
            edges,
            storage,
            sending: StoredValue::default(),
        };
        let pending = storage.with_log(|log| log.pending_stops(edges.now()));
        for answer in pending.unwrap_or_default() {
            stops.send(answer);
        }
        stops
    }

    /// Has the server stop an answer.
    pub(crate) fn stop(self, answer: AnswerId) {
        let now = self.edges.now();
        self.storage.write(|log| log.save_stop(answer, now));
        self.send(answer);
    }

    /// Waits until the server has confirmed all stops, but not for long.
    pub(crate) async fn wait_for_server(self) {
        let since = self.edges.monotonic();
        let is_sending = || self.sending.try_with_value(|all| !all.is_empty());
        while is_sending() == Some(true)
            && self.edges.monotonic() - since < LAST_WAIT.as_secs_f64() * 1000.0
        {
            self.edges.wait(POLL_INTERVAL).await;
        }
    }

    fn send(self, answer: AnswerId) {
        let is_new = self.sending.try_update_value(|all| all.insert(answer));
        if is_new != Some(true) {
            return;
        }
        self.edges.spawn(async move {
            if self.send_until_confirmed(answer).await {
                self.storage.with_log(|log| log.drop_stop(answer));
            }
            self.sending.try_update_value(|all| all.remove(&answer));
        });
    }

    /// Sends a stop until the server has it. Returns false if the server wants a token first: the next page sends it
    /// again, because each request with a wrong token counts as an attempt to guess it.
    async fn send_until_confirmed(self, answer: AnswerId) -> bool {
        let mut pause = FIRST_PAUSE;
        loop {
            let request = StopRequest { id: answer };
            let sent = self.edges.transport().stop.send(request);
            match sent.await {
                Err(Fault::Unauthorized | Fault::OpenedTwice) => return false,
                Err(fault) if is_unheard(&fault) => {}
                // Any other fault is an answer to this request: nothing runs under this id.
                Ok(()) | Err(_) => return true,
            }
            self.edges.wait(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }
}

/// Whether a request did not reach Sash, or found it unable to answer now, so that it is worth sending again.
pub(crate) fn is_unheard(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::ConnectionLost
            | Fault::UnexpectedReply { .. }
            | Fault::ServerStopping
            | Fault::RequestTimeout
            | Fault::TooManyConnections
    )
}
