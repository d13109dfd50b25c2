//! MCP over standard input and output: one message a line. rmcp has such a transport, too; ours says what a line is that
//! is no message (rmcp's is silent on some), keeps the limits of a body, and tells the end of the input at once.

use super::message;
use super::stdio_calls::Unanswered;
use super::stdio_lines::Lines;
use crate::server::limits::Limits;
use rmcp::RoleServer;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc, watch};

/// Messages that were read and not handled yet.
const QUEUE: usize = 16;

/// The transport.
#[derive(Debug)]
pub struct StdioTransport<W> {
    messages: mpsc::Receiver<ClientJsonRpcMessage>,
    output: Output<W>,
    unanswered: Unanswered,
}

impl<W: AsyncWrite + Send + Unpin + 'static> StdioTransport<W> {
    /// Reads messages from `input` until its end, which `on_end` is told at once. `on_broken` is told when the output
    /// cannot be written.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        limits: Limits,
        on_end: impl FnOnce() + Send + 'static,
        on_broken: watch::Sender<bool>,
    ) -> Self {
        let output = Output {
            writer: Arc::new(Mutex::new(output)),
            on_broken,
        };
        let (sender, messages) = mpsc::channel(QUEUE);
        let (errors, unanswered) = (output.clone(), Unanswered::default());
        let calls = unanswered.clone();
        tokio::spawn(async move {
            let mut lines = Lines::new(input, limits);
            loop {
                let message = match lines.next().await {
                    Ok(Some(message)) => message.map_err(|error| message::error_json(error, None)),
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(%error, "the input cannot be read any more");
                        break;
                    }
                };
                let ended = match message.and_then(|message| calls.begin(message)) {
                    Ok(message) => sender.send(message).await.is_err(),
                    Err(error) => errors.write_line(error).await.is_err(),
                };
                if ended {
                    break;
                }
            }
            on_end();
        });
        Self {
            messages,
            output,
            unanswered,
        }
    }
}

/// Where messages are written, a line each.
#[derive(Debug)]
struct Output<W> {
    writer: Arc<Mutex<W>>,
    on_broken: watch::Sender<bool>,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self {
            writer: Arc::clone(&self.writer),
            on_broken: self.on_broken.clone(),
        }
    }
}

impl<W: AsyncWrite + Unpin> Output<W> {
    async fn write_line(&self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        let mut writer = self.writer.lock().await;
        let written = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        let written = written.await;
        if written.is_err() {
            self.on_broken.send_replace(true);
        }
        written
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for StdioTransport<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        let answered = self.unanswered.answered(&message);
        async move {
            let written = output.write_line(serde_json::to_vec(&message)?).await;
            drop(answered);
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        self.output.writer.lock().await.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{RequestId, ServerJsonRpcMessage, ServerResult};
    use tokio::io::{AsyncBufReadExt, BufReader};

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    /// A transport, what its client writes, and whether the output broke.
    fn transport<W: AsyncWrite + Send + Unpin + 'static>(
        output: W,
        on_end: impl FnOnce() + Send + 'static,
    ) -> (
        StdioTransport<W>,
        tokio::io::DuplexStream,
        watch::Receiver<bool>,
    ) {
        let (input, client) = tokio::io::duplex(1000);
        let (on_broken, broken) = watch::channel(false);
        let transport = StdioTransport::new(input, output, Limits::default(), on_end, on_broken);
        (transport, client, broken)
    }

    fn answer(id: i64) -> ServerJsonRpcMessage {
        ServerJsonRpcMessage::response(ServerResult::empty(()), RequestId::Number(id))
    }

    #[tokio::test]
    async fn the_end_of_the_input_is_told_at_once() {
        let (ended, mut end) = tokio::sync::oneshot::channel();
        let on_end = move || ended.send(()).unwrap();
        let (mut transport, mut client, _) = transport(Vec::new(), on_end);
        client
            .write_all(format!("{PING}\n").as_bytes())
            .await
            .unwrap();
        assert!(transport.receive().await.is_some());
        assert!(end.try_recv().is_err());
        drop(client);
        end.await.unwrap();
        assert!(transport.receive().await.is_none());
    }

    #[tokio::test]
    async fn an_id_is_taken_until_its_answer_is_written_or_it_is_cancelled() {
        let (output, reader) = tokio::io::duplex(1000);
        let (mut transport, mut client, _) = transport(output, || {});
        let mut errors = BufReader::new(reader).lines();
        let cancel =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        for after_first in [None, Some(cancel)] {
            client
                .write_all(format!("{PING}\n{PING}\n").as_bytes())
                .await
                .unwrap();
            let first = transport.receive().await.unwrap();
            let error = errors.next_line().await.unwrap().unwrap();
            assert!(error.contains("this id is running"), "{error}");
            assert!(!error.contains("\"id\":"), "{error}");
            drop(first);
            match after_first {
                None => {
                    transport.send(answer(1)).await.unwrap();
                    errors.next_line().await.unwrap().unwrap();
                }
                Some(cancel) => {
                    client
                        .write_all(format!("{cancel}\n").as_bytes())
                        .await
                        .unwrap();
                    transport.receive().await.unwrap();
                }
            }
        }
        client
            .write_all(format!("{PING}\n").as_bytes())
            .await
            .unwrap();
        assert!(transport.receive().await.is_some());
    }

    #[tokio::test]
    async fn an_output_that_cannot_be_written_is_told() {
        let (output, reader) = tokio::io::duplex(1000);
        let (mut transport, _client, mut broken) = transport(output, || {});
        transport.send(answer(1)).await.unwrap();
        assert!(!*broken.borrow());
        drop(reader);
        assert!(transport.send(answer(2)).await.is_err());
        broken.wait_for(|broken| *broken).await.unwrap();
    }
}
