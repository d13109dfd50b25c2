//! MCP over standard input and output: rmcp's transport, which reads and writes the messages, with the limits of a
//! client's calls ([`ClientCalls`]) and with the two ends that rmcp does not tell: that of the input while calls run,
//! and an output that cannot be written.

use super::calls::{ClientCalls, RunningCall};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, GetExtensions, JsonRpcMessage, JsonRpcNotification,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::collections::HashMap;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The transport.
pub struct StdioTransport<R: AsyncRead, W: AsyncWrite> {
    messages: AsyncRwTransport<RoleServer, R, W>,
    calls: ClientCalls,
    /// The calls whose answer is not written yet.
    unanswered: HashMap<RequestId, RunningCall>,
    on_end: watch::Sender<bool>,
    broken: CancellationToken,
}

impl<R, W> StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Reads messages from `input`; a line of more than `max_bytes` is dropped. `on_end` is told at once when the input
    /// ends, `broken` is cancelled when the output cannot be written.
    pub fn new(
        input: R,
        output: W,
        max_bytes: usize,
        on_end: watch::Sender<bool>,
        broken: CancellationToken,
    ) -> Self {
        let messages = AsyncRwTransport::new(input, output);
        Self {
            messages: messages.with_max_line_length(max_bytes),
            calls: ClientCalls::default(),
            unanswered: HashMap::new(),
            on_end,
            broken,
        }
    }

    /// Begins the call that a message is, or lets go of the one that it cancels, which gets no answer.
    ///
    /// # Errors
    /// The message that refuses the call.
    fn begin(
        &mut self,
        mut message: ClientJsonRpcMessage,
    ) -> Result<ClientJsonRpcMessage, Box<ServerJsonRpcMessage>> {
        match &mut message {
            JsonRpcMessage::Request(request) => {
                let id = request.id.clone();
                let call = self.calls.begin(id.clone()).map_err(|refusal| {
                    let (error, id) = refusal.error(id.clone());
                    Box::new(ServerJsonRpcMessage::error(error, id))
                })?;
                request.request.extensions_mut().insert(call.clone());
                self.unanswered.insert(id, call);
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.unanswered.remove(id);
                }
            }
            _ => {}
        }
        Ok(message)
    }
}

impl<R, W> Transport<RoleServer> for StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answers = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let answered = answers.and_then(|id| self.unanswered.remove(id));
        let written = self.messages.send(message);
        let broken = self.broken.clone();
        async move {
            let written = written.await;
            drop(answered);
            if written.is_err() {
                broken.cancel();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let Some(message) = self.messages.receive().await else {
                self.on_end.send_replace(true);
                return None;
            };
            match self.begin(message) {
                Ok(message) => return Some(message),
                // A task of its own, because rmcp drops this future whenever something else is ready. `send` of the
                // inner transport, because a refusal leaves the call with the same id alone.
                Err(refusal) => drop(tokio::spawn(self.messages.send(*refusal))),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::ServerResult;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    struct Ends {
        input: watch::Receiver<bool>,
        output: CancellationToken,
    }

    /// A transport, what its client writes, and which end was told.
    fn transport<W: AsyncWrite + Send + Unpin + 'static>(
        output: W,
    ) -> (StdioTransport<DuplexStream, W>, DuplexStream, Ends) {
        let (input, client) = tokio::io::duplex(1000);
        let (on_end, input_end) = watch::channel(false);
        let broken = CancellationToken::new();
        let transport = StdioTransport::new(input, output, 1000, on_end, broken.clone());
        let ends = Ends {
            input: input_end,
            output: broken,
        };
        (transport, client, ends)
    }

    fn answer(id: i64) -> ServerJsonRpcMessage {
        ServerJsonRpcMessage::response(ServerResult::empty(()), RequestId::Number(id))
    }

    async fn write(client: &mut DuplexStream, lines: &str) {
        client.write_all(lines.as_bytes()).await.unwrap();
    }

    #[tokio::test]
    async fn the_end_of_the_input_is_told_at_once() {
        let (mut transport, mut client, ends) = transport(Vec::new());
        write(&mut client, &format!("{PING}\n")).await;
        assert!(transport.receive().await.is_some());
        assert!(!*ends.input.borrow());
        drop(client);
        assert!(transport.receive().await.is_none());
        assert!(*ends.input.borrow());
    }

    #[tokio::test]
    async fn an_id_is_taken_until_its_answer_is_written_or_it_is_cancelled() {
        let (output, reader) = tokio::io::duplex(1000);
        let (mut transport, mut client, _ends) = transport(output);
        let mut written = BufReader::new(reader).lines();
        let cancel =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        for after_first in [None, Some(cancel)] {
            // The notification behind the refused call ends the `receive` that refuses it.
            let progress = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            write(&mut client, &format!("{PING}\n{PING}\n{progress}\n")).await;
            let first = transport.receive().await.unwrap();
            transport.receive().await.unwrap();
            let error = written.next_line().await.unwrap().unwrap();
            assert!(error.contains("this id is running"), "{error}");
            assert!(!error.contains("\"id\":"), "{error}");
            drop(first);
            match after_first {
                None => {
                    transport.send(answer(1)).await.unwrap();
                    written.next_line().await.unwrap().unwrap();
                }
                Some(cancel) => {
                    write(&mut client, &format!("{cancel}\n")).await;
                    transport.receive().await.unwrap();
                }
            }
        }
        write(&mut client, &format!("{PING}\n")).await;
        assert!(transport.receive().await.is_some());
    }

    #[tokio::test]
    async fn an_output_that_cannot_be_written_is_told() {
        let (output, reader) = tokio::io::duplex(1000);
        let (mut transport, _client, ends) = transport(output);
        transport.send(answer(1)).await.unwrap();
        assert!(!ends.output.is_cancelled());
        drop(reader);
        assert!(transport.send(answer(2)).await.is_err());
        ends.output.cancelled().await;
    }
}
