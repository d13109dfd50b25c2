//! The sessions of MCP clients over HTTP, within limits: rmcp keeps as many as are begun. A client whose session is gone,
//! here or with a restart, gets 404 and initialises anew, as the protocol says; its chats do not depend on the session.

use super::call_stream::{CallStream, RunningCall};
use super::session_table::{SessionTable, SharedTable};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Sessions at once. At the limit the one used longest ago is closed.
const MAX_SESSIONS: usize = 100;
/// How long a session without a running call stays. Agents may pause for an afternoon.
const IDLE_TIME: Duration = Duration::from_secs(4 * 60 * 60);

/// rmcp's sessions, within the limits.
#[derive(Debug)]
pub struct Sessions {
    manager: Arc<LocalSessionManager>,
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
        // Streams cannot be taken up again.
        config.sse_retry = None;
        let table = SessionTable::new(max, idle_time);
        Self {
            manager: Arc::new(manager),
            table: SharedTable::new(table),
        }
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
        self.table.lock().touch(id, Instant::now());
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
    ) -> Result<CallStream, Self::Error> {
        let (manager, table) = (Arc::clone(&self.manager), self.table.clone());
        let running = RunningCall::begin(manager, table, id.clone(), &message);
        let messages = self.manager.create_stream(id, message).await?;
        Ok(CallStream::new(Box::pin(messages), running))
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
