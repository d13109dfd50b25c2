//! The sessions of MCP clients over HTTP: rmcp's own, of which it would keep as many as are begun. A client whose session
//! is gone, here or with a restart, gets 404 and initialises anew, as the protocol says; its chats do not depend on it.

use super::calls::{CallRefusal, ClientCalls, RunningCall};
use futures::stream::Empty;
use futures::{Stream, StreamExt};
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Sessions at once. At the limit the one used longest ago is closed.
const MAX_SESSIONS: usize = 100;
/// How long a session without a running call stays. Agents may pause for an afternoon.
const IDLE_TIME: Duration = Duration::from_secs(4 * 60 * 60);

/// rmcp's sessions, and the calls that run in them.
#[derive(Debug)]
pub struct Sessions {
    manager: LocalSessionManager,
    max: usize,
    calls: Mutex<HashMap<SessionId, ClientCalls>>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new(MAX_SESSIONS)
    }
}

impl Sessions {
    fn new(max: usize) -> Self {
        let mut manager = LocalSessionManager::default();
        let config = &mut manager.session_config;
        // rmcp would count an answer that takes long as idleness.
        config.keep_alive = None;
        // Streams cannot be taken up again, so no answer is kept after it was sent.
        config.sse_retry = None;
        config.completed_cache_ttl = Duration::ZERO;
        Self {
            manager,
            max,
            calls: Mutex::default(),
        }
    }

    /// Begins a call of a session, or one without. Until it is dropped its id cannot be used again in the session.
    ///
    /// # Errors
    /// [`CallRefusal`]
    pub fn begin_call(
        &self,
        session: Option<&SessionId>,
        id: RequestId,
    ) -> Result<RunningCall, CallRefusal> {
        let calls = session.and_then(|session| self.calls_of(session));
        calls.unwrap_or_default().begin(id)
    }

    /// Closes the sessions that were idle for too long and, to make room for `more`, those used longest ago.
    async fn close_old(&self, more: usize) {
        while let Some(old) = self.outdated(more) {
            if let Err(error) = self.close_session(&old).await {
                tracing::debug!(%error, "an old session was closed already");
            }
        }
    }

    /// The session to close next. One with a running call is closed only where there is no other, to make room.
    fn outdated(&self, more: usize) -> Option<SessionId> {
        let all = self.calls();
        let by_use = all
            .iter()
            .min_by_key(|(_, calls)| (!calls.is_empty(), calls.used()));
        let (id, calls) = by_use?;
        let is_idle = calls.is_empty() && calls.used().elapsed() >= IDLE_TIME;
        (is_idle || all.len() + more > self.max).then(|| id.clone())
    }

    fn calls_of(&self, session: &SessionId) -> Option<ClientCalls> {
        self.calls().get(session).cloned()
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<SessionId, ClientCalls>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[allow(refining_impl_trait, reason = "the streams may as well be named")]
impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.close_old(1).await;
        let (id, transport) = self.manager.create_session().await?;
        self.calls().insert(id.clone(), ClientCalls::default());
        Ok((id, transport))
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.close_old(0).await;
        if let Some(calls) = self.calls_of(id) {
            calls.touch();
        }
        self.manager.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let closed = self.calls().remove(id);
        if let Some(calls) = closed {
            calls.stop();
        }
        self.manager.close_session(id).await
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.manager.initialize_session(id, message).await
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        self.manager.accept_message(id, message).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let messages = self.manager.create_stream(id, message).await?;
        Ok(messages.map(|mut event| {
            // An id would promise that the stream can be taken up again after it.
            event.event_id = None;
            event
        }))
    }

    // The two for GET, which is not offered.

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<Empty<ServerSseMessage>, Self::Error> {
        Err(LocalSessionManagerError::SessionNotFound(id.clone()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        _last_event_id: String,
    ) -> Result<Empty<ServerSseMessage>, Self::Error> {
        Err(LocalSessionManagerError::SessionNotFound(id.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn sessions(max: usize, count: usize) -> (Sessions, Vec<SessionId>) {
        let (sessions, mut ids) = (Sessions::new(max), Vec::new());
        for _ in 0..count {
            let (id, _) = sessions.create_session().await.unwrap();
            ids.push(id);
        }
        (sessions, ids)
    }

    #[tokio::test]
    async fn more_sessions_than_the_limit_are_never_kept() {
        let (sessions, ids) = sessions(5, 12).await;
        assert_eq!(sessions.manager.sessions.read().await.len(), 5);
        assert!(!sessions.has_session(&ids[0]).await.unwrap());
        assert!(sessions.has_session(&ids[11]).await.unwrap());
        sessions.close_session(&ids[11]).await.unwrap();
        assert!(!sessions.has_session(&ids[11]).await.unwrap());
        assert_eq!(sessions.calls().len(), 4);
    }

    #[tokio::test]
    async fn at_the_limit_the_session_used_longest_ago_makes_room_and_one_that_answers_last() {
        let (sessions, ids) = sessions(3, 3).await;
        let call = |id| sessions.begin_call(Some(id), RequestId::Number(1)).unwrap();
        let first = call(&ids[0]);
        assert!(sessions.has_session(&ids[1]).await.unwrap());
        assert_eq!(sessions.outdated(1).as_ref(), Some(&ids[2]));
        let _others = [call(&ids[1]), call(&ids[2])];
        assert_eq!(sessions.outdated(1).as_ref(), Some(&ids[0]), "all answer");
        sessions.create_session().await.unwrap();
        first.stopped().await;
        assert!(!sessions.has_session(&ids[0]).await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_is_closed_when_it_was_idle_for_long_and_not_while_it_answers() {
        let (sessions, ids) = sessions(10, 3).await;
        let open = async || {
            sessions.close_old(0).await;
            let kept = sessions.manager.sessions.read().await;
            assert_eq!(kept.len(), sessions.calls().len());
            ids.iter()
                .map(|id| kept.contains_key(id))
                .collect::<Vec<_>>()
        };
        let call = sessions.begin_call(Some(&ids[2]), RequestId::Number(1));
        tokio::time::sleep(IDLE_TIME / 2).await;
        assert!(sessions.has_session(&ids[1]).await.unwrap());
        assert_eq!(open().await, [true, true, true]);
        tokio::time::sleep(IDLE_TIME / 2).await;
        assert_eq!(open().await, [false, true, true]);
        assert!(!sessions.has_session(&ids[0]).await.unwrap());
        tokio::time::sleep(IDLE_TIME).await;
        assert_eq!(open().await, [false, false, true], "it answers");
        // The end of its answer is a use.
        drop(call);
        tokio::time::sleep(IDLE_TIME / 2).await;
        assert_eq!(open().await, [false, false, true]);
        tokio::time::sleep(IDLE_TIME / 2).await;
        assert_eq!(open().await, [false, false, false]);
    }

    /// It would count an answer that takes long as idleness, and cut it off.
    #[test]
    fn the_protocol_ends_no_session_by_itself() {
        let sessions = Sessions::default();
        assert_eq!(sessions.manager.session_config.keep_alive, None);
    }
}
