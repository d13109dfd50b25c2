//! The sessions of MCP clients over HTTP, within limits: rmcp keeps as many as are begun. A client whose session is gone,
//! here or with a restart, gets 404 and initialises anew, as the protocol says; its chats do not depend on the session.

use super::calls::{CallRefusal, RunningCall};
use super::session_table::{SessionTable, SharedTable};
use futures::{Stream, StreamExt};
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use std::time::Duration;
use tokio::time::Instant;

/// Sessions at once. At the limit the one used longest ago is closed.
const MAX_SESSIONS: usize = 100;
/// How long a session without a running call stays. Agents may pause for an afternoon.
const IDLE_TIME: Duration = Duration::from_secs(4 * 60 * 60);

/// rmcp's sessions, within the limits.
#[derive(Debug)]
pub struct Sessions {
    manager: LocalSessionManager,
    table: SharedTable,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new(MAX_SESSIONS, IDLE_TIME)
    }
}

impl Sessions {
    fn new(max: usize, idle_time: Duration) -> Self {
        let mut manager = LocalSessionManager::default();
        let config = &mut manager.session_config;
        // rmcp would count an answer that takes long as idleness; the table knows of running calls.
        config.keep_alive = None;
        // Streams cannot be taken up again, so no answer is kept after it was sent.
        config.sse_retry = None;
        config.completed_cache_ttl = Duration::ZERO;
        let table = SessionTable::new(max, idle_time);
        Self {
            manager,
            table: SharedTable::new(table),
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
        let calls = session.and_then(|session| self.table.lock().calls(session));
        calls.unwrap_or_default().begin(id)
    }

    /// Notes the use of a session.
    pub fn touch(&self, id: &SessionId) {
        self.table.lock().touch(id, Instant::now());
    }

    /// Closes what is too old, and makes room for `more` sessions.
    async fn close_old(&self, more: usize) {
        let old = self.table.lock().remove_old(more, Instant::now());
        for id in old {
            if let Err(error) = self.manager.close_session(&id).await {
                tracing::debug!(%error, "an old session was closed already");
            }
        }
    }
}

#[allow(refining_impl_trait, reason = "the streams may as well be named")]
impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.close_old(1).await;
        let (id, transport) = self.manager.create_session().await?;
        self.table.lock().add(id.clone(), Instant::now());
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.manager.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.close_old(0).await;
        self.touch(id);
        self.manager.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.table.lock().remove(id);
        self.manager.close_session(id).await
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

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        self.manager.accept_message(id, message).await
    }

    // The two for GET, which is not offered.

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<futures::stream::Empty<ServerSseMessage>, Self::Error> {
        Err(LocalSessionManagerError::SessionNotFound(id.clone()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        _last_event_id: String,
    ) -> Result<futures::stream::Empty<ServerSseMessage>, Self::Error> {
        Err(LocalSessionManagerError::SessionNotFound(id.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn more_sessions_than_the_limit_are_never_kept() {
        let sessions = Sessions::new(5, Duration::from_secs(10));
        let mut ids = Vec::new();
        let mut transports = Vec::new();
        for _ in 0..12 {
            let (id, transport) = sessions.create_session().await.unwrap();
            ids.push(id);
            transports.push(transport);
        }
        assert_eq!(sessions.manager.sessions.read().await.len(), 5);
        assert!(!sessions.has_session(&ids[0]).await.unwrap());
        assert!(sessions.has_session(&ids[11]).await.unwrap());
        sessions.close_session(&ids[11]).await.unwrap();
        assert!(!sessions.has_session(&ids[11]).await.unwrap());
        assert_eq!(sessions.table.lock().len(), 4);
    }
}
