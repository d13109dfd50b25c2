//! The calls of standard input whose answer is not written yet.

use super::calls::{ClientCalls, RunningCall};
use super::message;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, GetExtensions, JsonRpcMessage, JsonRpcNotification,
    RequestId, ServerJsonRpcMessage,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The calls whose answer is not written yet, by their ids.
#[derive(Clone, Debug, Default)]
pub struct Unanswered {
    calls: ClientCalls,
    running: Arc<Mutex<HashMap<RequestId, RunningCall>>>,
}

impl Unanswered {
    /// Begins the call that a message is, or lets go of the one that it cancels, which gets no answer.
    ///
    /// # Errors
    /// The message that refuses the call, as JSON.
    pub fn begin(
        &self,
        mut message: ClientJsonRpcMessage,
    ) -> Result<ClientJsonRpcMessage, Vec<u8>> {
        match &mut message {
            JsonRpcMessage::Request(request) => {
                let id = request.id.clone();
                let call = self.calls.begin(id.clone());
                let call = call.map_err(|refusal| {
                    let (error, id) = refusal.error(id.clone());
                    message::error_json(error, id)
                })?;
                request.request.extensions_mut().insert(call.clone());
                self.running().insert(id, call);
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.running().remove(id);
                }
            }
            _ => {}
        }
        Ok(message)
    }

    /// The call that a message answers.
    pub fn answered(&self, message: &ServerJsonRpcMessage) -> Option<RunningCall> {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        self.running().remove(id?)
    }

    fn running(&self) -> MutexGuard<'_, HashMap<RequestId, RunningCall>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
