//! The stream of one call over HTTP. When the client leaves it, the call is cancelled: the stream cannot be taken up
//! again, so nobody would read the answer.

use super::session_table::SharedTable;
use futures::Stream;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification,
    JsonRpcMessage, RequestId,
};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::Instant;

/// A stream of rmcp.
pub type Messages = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// The messages of one call.
pub struct CallStream {
    messages: Messages,
    running: RunningCall,
}

/// A call without an answer. Dropping it cancels the call.
pub struct RunningCall {
    manager: Arc<LocalSessionManager>,
    table: SharedTable,
    session: SessionId,
    /// Its id, until the answer was sent.
    id: Option<RequestId>,
}

impl RunningCall {
    /// Counts a call of a session as running.
    pub fn begin(
        manager: Arc<LocalSessionManager>,
        table: SharedTable,
        session: SessionId,
        message: &ClientJsonRpcMessage,
    ) -> Self {
        table.lock().begin_call(&session, Instant::now());
        let id = match message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        Self {
            manager,
            table,
            session,
            id,
        }
    }
}

impl CallStream {
    /// The messages of a running call.
    pub fn new(messages: Messages, running: RunningCall) -> Self {
        Self { messages, running }
    }
}

impl Stream for CallStream {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.messages.as_mut().poll_next(context);
        next.map(|next| {
            let message = next.as_ref().map(|event| event.message.as_deref());
            if let None | Some(Some(JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))) =
                message
            {
                self.running.id = None;
            }
            let mut event = next?;
            // An id would promise that the stream can be taken up again after it.
            event.event_id = None;
            Some(event)
        })
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.table.lock().end_call(&self.session, Instant::now());
        let Some(call) = self.id.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (manager, session) = (Arc::clone(&self.manager), self.session.clone());
        runtime.spawn(async move {
            let params = CancelledNotificationParam::new(Some(call), None);
            let cancelled = CancelledNotification::new(params);
            let cancelled = ClientNotification::CancelledNotification(cancelled);
            let cancelled = ClientJsonRpcMessage::notification(cancelled);
            if let Err(error) = manager.accept_message(&session, cancelled).await {
                tracing::debug!(%error, "the session of a call ended with it");
            }
        });
    }
}
