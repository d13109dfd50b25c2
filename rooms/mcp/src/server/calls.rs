//! The calls of a client that have no complete answer yet. rmcp takes an id twice, and then can stop only one of the two
//! calls; it takes any number of calls; and in a session it lets a call go on when its reader has gone.

use super::message;
use rmcp::model::RequestId;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use sash_wire::Fault;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Calls of one client at once. Each holds its message, of up to 2 MiB, until its answer is written.
const MAX_CALLS: usize = 32;
/// The refusal of one more.
pub const TOO_MANY_CALLS: Fault = Fault::TooManyAnswers { limit: MAX_CALLS };

/// The running calls of one client: of a session, or of standard input.
#[derive(Clone, Debug)]
pub struct ClientCalls {
    running: Arc<Mutex<HashSet<RequestId>>>,
    used: Arc<Mutex<Instant>>,
    stop: CancellationToken,
}

impl Default for ClientCalls {
    fn default() -> Self {
        Self {
            running: Arc::default(),
            used: Arc::new(Mutex::new(Instant::now())),
            stop: CancellationToken::new(),
        }
    }
}

/// Why a call is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRefusal {
    /// A call with the same id runs.
    IdRuns,
    /// As many calls run as may.
    TooMany,
}

impl ClientCalls {
    /// Begins a call.
    ///
    /// # Errors
    /// [`CallRefusal`]
    pub fn begin(&self, id: RequestId) -> Result<RunningCall, CallRefusal> {
        let mut running = self.running();
        if running.contains(&id) {
            return Err(CallRefusal::IdRuns);
        }
        if running.len() >= MAX_CALLS {
            return Err(CallRefusal::TooMany);
        }
        running.insert(id.clone());
        Ok(RunningCall(Arc::new(CallState {
            calls: self.clone(),
            id,
            stop: self.stop.child_token(),
            turn: Mutex::default(),
        })))
    }

    /// Stops all calls.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether no call runs.
    pub fn is_empty(&self) -> bool {
        self.running().is_empty()
    }

    /// Notes a use by the client. The end of a call is one.
    pub fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The last use by the client.
    pub fn used(&self) -> Instant {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running call. The one who answers it has a clone, and so has the transport until the answer is written. Its id is
/// free again when both are dropped.
#[derive(Clone, Debug)]
pub struct RunningCall(Arc<CallState>);

#[derive(Debug)]
struct CallState {
    calls: ClientCalls,
    id: RequestId,
    stop: CancellationToken,
    /// What the answer takes up until it is written.
    turn: Mutex<Option<OwnedSemaphorePermit>>,
}

impl RunningCall {
    /// The call that a handler of rmcp answers. Over HTTP it came with the parts of the request.
    pub fn of(context: &RequestContext<RoleServer>) -> Option<&Self> {
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let over_http = parts.and_then(|parts| parts.extensions.get());
        over_http.or_else(|| context.extensions.get())
    }

    /// Stops the call when the guard is dropped: nobody will read its answer.
    pub fn stop_guard(&self) -> DropGuard {
        self.0.stop.clone().drop_guard()
    }

    /// Waits until the call is stopped.
    pub async fn stopped(&self) {
        self.0.stop.cancelled().await;
    }

    /// Gives a turn back only when the answer is written.
    pub fn hold(&self, turn: Option<OwnedSemaphorePermit>) {
        *self.0.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }
}

impl Drop for CallState {
    fn drop(&mut self) {
        self.calls.touch();
        self.calls.running().remove(&self.id);
    }
}

impl CallRefusal {
    /// What the client is told, and the id with it. An error with an id that runs would be taken for the answer to the
    /// call that runs, so that one has none.
    pub fn error(self, id: RequestId) -> (ErrorData, Option<RequestId>) {
        match self {
            Self::IdRuns => {
                let says = "A call with this id is running. Give each call an id of its own.";
                (ErrorData::invalid_request(says, None), None)
            }
            Self::TooMany => (message::refusal(&TOO_MANY_CALLS), Some(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: i64) -> RequestId {
        RequestId::Number(n)
    }

    #[test]
    fn an_id_is_free_again_when_nobody_has_the_call_any_more() {
        let calls = ClientCalls::default();
        let answering = calls.begin(id(1)).unwrap();
        let writing = answering.clone();
        assert_eq!(calls.begin(id(1)).unwrap_err(), CallRefusal::IdRuns);
        let text = calls.begin(RequestId::String("1".into()));
        assert!(text.is_ok(), "a text is another id than a number");
        drop(answering);
        assert_eq!(calls.begin(id(1)).unwrap_err(), CallRefusal::IdRuns);
        drop(writing);
        assert!(calls.begin(id(1)).is_ok());
    }

    #[test]
    fn no_more_calls_run_than_may() {
        let calls = ClientCalls::default();
        let mut running: Vec<_> = (0..MAX_CALLS)
            .map(|n| calls.begin(id(n as i64)).unwrap())
            .collect();
        assert_eq!(calls.begin(id(-1)).unwrap_err(), CallRefusal::TooMany);
        assert_eq!(calls.begin(id(0)).unwrap_err(), CallRefusal::IdRuns);
        running.pop();
        assert!(calls.begin(id(-1)).is_ok());
        drop(running);
        assert!(calls.is_empty());
    }

    #[tokio::test]
    async fn all_calls_of_a_client_can_be_stopped_or_one() {
        let (calls, others) = (ClientCalls::default(), ClientCalls::default());
        let (first, second) = (calls.begin(id(1)).unwrap(), calls.begin(id(2)).unwrap());
        let other = others.begin(id(1)).unwrap();
        let is_stopped = async |call: &RunningCall| {
            let wait = std::time::Duration::from_millis(5);
            tokio::time::timeout(wait, call.stopped()).await.is_ok()
        };
        drop(first.stop_guard());
        assert!(is_stopped(&first).await && !is_stopped(&second).await);
        calls.stop();
        assert!(is_stopped(&second).await && !is_stopped(&other).await);
    }
}
