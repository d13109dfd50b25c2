//! Turns the pieces of an answer into the lines of a stream, or into a single answer.

use super::http::{self, HttpResponse};
use super::json;
use super::line::{DebugInfo, Delta, LastLine, LineForm};
use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use std::io;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// How far a prompt is read, in tokens.
#[derive(Clone, Copy)]
pub struct ReadProgress {
    /// Those of the prompt.
    pub total: usize,
    /// Those that were in the cache.
    pub cached: usize,
    /// Those that are read, the cached ones among them.
    pub processed: usize,
    /// The time since the reading began.
    pub time: Duration,
}

/// A part of an answer.
pub enum StreamPiece {
    /// Text, thinking or tool calls.
    Delta(Delta),
    /// How far the prompt is read.
    Progress(ReadProgress),
    /// The last line.
    Done(Box<LastLine>),
    /// A failure; the status is used only before the first line.
    Error(StatusCode, String),
    /// Raw bytes.
    Raw(Bytes),
    /// A complete answer that replaces this one.
    Answer(Box<HttpResponse>),
    /// The head, before any line.
    Head,
    /// Closes the connection.
    Cut,
}

impl LineForm {
    /// The single answer to a request that loads or unloads a model.
    pub fn only_reason(&self, reason: &str) -> HttpResponse {
        let done = LastLine {
            reason: reason.to_owned(),
            ..LastLine::default()
        };
        let line = self.line(&done.last, Some(&done), "assistant");
        http::single(StatusCode::OK, &line)
    }

    /// The single answer to `_debug_render_only`.
    pub fn rendered(&self, text: &str, images: usize) -> HttpResponse {
        let delta = Delta::default();
        let mut line = self.line(&delta, None, "");
        line.debug_info = Some(DebugInfo {
            rendered_template: text,
            image_count: images,
        });
        http::single(StatusCode::OK, &line)
    }

    /// One piece as one chunk of the stream; `None` ends it.
    fn chunk(&self, piece: StreamPiece) -> Option<io::Result<Bytes>> {
        let line = |mut text: String| {
            text.push('\n');
            Some(Ok(Bytes::from(text)))
        };
        match piece {
            StreamPiece::Delta(delta) => {
                line(json::to_go_json(&self.line(&delta, None, "assistant")))
            }
            StreamPiece::Done(done) => line(json::to_go_json(&self.line(
                &done.last,
                Some(&done),
                "assistant",
            ))),
            StreamPiece::Error(_, text) => line(http::error_text(&text)),
            StreamPiece::Raw(bytes) => Some(Ok(bytes)),
            StreamPiece::Cut => Some(Err(io::ErrorKind::ConnectionAborted.into())),
            StreamPiece::Head | StreamPiece::Answer(_) | StreamPiece::Progress(_) => None,
        }
    }

    /// The streamed answer. Nothing is sent before the first piece.
    ///
    /// # Errors
    /// The connection breaks before the answer starts.
    pub async fn stream(self, mut source: PieceSource) -> io::Result<HttpResponse> {
        let first = match source.next().await {
            Some(StreamPiece::Error(status, text)) => {
                return Ok(http::refuse_in_stream(status, &text));
            }
            Some(StreamPiece::Answer(answer)) => return Ok(*answer),
            Some(StreamPiece::Cut) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Some(StreamPiece::Head) => None,
            first => first,
        };
        let state = (self, source, first);
        let stream = futures::stream::unfold(state, |(form, mut source, first)| async move {
            let piece = match first {
                Some(piece) => piece,
                None => source.next().await?,
            };
            let chunk = form.chunk(piece)?;
            Some((chunk, (form, source, None)))
        });
        let kind = Some("application/x-ndjson");
        Ok(http::build(StatusCode::OK, kind, http::chunks(stream)))
    }

    /// The single answer: all pieces collected.
    ///
    /// # Errors
    /// The connection breaks before the answer starts.
    pub async fn collect(self, mut source: PieceSource) -> io::Result<HttpResponse> {
        let mut whole = Delta::default();
        let mut raw = Vec::new();
        let add = |whole: &mut Delta, delta: Delta| {
            whole.content.push_str(&delta.content);
            whole.thinking.push_str(&delta.thinking);
            whole.logprobs.extend(delta.logprobs);
            whole.tool_calls = delta.tool_calls.or(whole.tool_calls.take());
        };
        while let Some(piece) = source.next().await {
            match piece {
                StreamPiece::Delta(delta) => add(&mut whole, delta),
                StreamPiece::Done(mut done) => {
                    add(&mut whole, std::mem::take(&mut done.last));
                    let line = self.line(&whole, Some(&done), "assistant");
                    return Ok(http::single(StatusCode::OK, &line));
                }
                StreamPiece::Error(status, text) => return Ok(http::refuse(status, &text)),
                StreamPiece::Answer(answer) => return Ok(*answer),
                StreamPiece::Raw(bytes) => raw.extend_from_slice(&bytes),
                StreamPiece::Head | StreamPiece::Progress(_) => {}
                StreamPiece::Cut => return Err(io::ErrorKind::ConnectionAborted.into()),
            }
        }
        if !raw.is_empty() {
            let kind = "application/json; charset=utf-8";
            return Ok(http::text(StatusCode::OK, kind, raw));
        }
        let line = self.line(&whole, None, "assistant");
        Ok(http::single(StatusCode::OK, &line))
    }
}

/// The source of the pieces: a task that ends when this is dropped.
pub struct PieceSource {
    pieces: mpsc::Receiver<StreamPiece>,
    task: AbortHandle,
}

impl PieceSource {
    /// Starts a task that makes pieces.
    pub fn spawn<F>(make: impl FnOnce(mpsc::Sender<StreamPiece>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, pieces) = mpsc::channel(1);
        let task = tokio::spawn(make(sender)).abort_handle();
        Self { pieces, task }
    }

    /// Waits for the end; returns the error that ended it, if any.
    pub async fn only_error(mut self) -> Option<String> {
        while let Some(piece) = self.next().await {
            if let StreamPiece::Error(_, text) = piece {
                return Some(text);
            }
        }
        None
    }

    /// The next piece; `None` after the last one.
    pub async fn next(&mut self) -> Option<StreamPiece> {
        self.pieces.recv().await
    }
}

impl Drop for PieceSource {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer of any kind, for a [`super::script::ScriptStep::Status`].
pub fn any_answer(
    status: u16,
    content_type: &str,
    headers: impl IntoIterator<Item = (String, String)>,
    body: String,
) -> HttpResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = http::text(status, content_type, body);
    if content_type.is_empty() {
        answer.headers_mut().remove(hyper::header::CONTENT_TYPE);
    }
    for (name, value) in headers {
        let name = hyper::header::HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}
