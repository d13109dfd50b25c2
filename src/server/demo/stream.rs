//! From the pieces of an answer to the lines of a stream, or to a single answer.

use super::http::{self, Answer};
use super::json;
use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use serde::Serialize;
use serde_json::Value;
use std::io;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// A part of an answer.
pub enum Piece {
    /// Words.
    Delta(Delta),
    /// The last line.
    Done(Box<Done>),
    /// A failure; the status counts only before the first line.
    Error(StatusCode, String),
    /// Bytes as they are.
    Raw(Bytes),
    /// Another answer instead.
    Answer(Box<Answer>),
    /// The head, before any line.
    Head,
    /// The connection breaks off.
    Cut,
}

/// What one line adds.
#[derive(Clone, Default)]
pub struct Delta {
    /// Text.
    pub content: String,
    /// Thinking.
    pub thinking: String,
    /// Tool calls.
    pub tool_calls: Option<Value>,
    /// Logprobs of the tokens in it.
    pub logprobs: Vec<Value>,
}

/// What the last line says; counts and times that are 0 are left out.
#[derive(Clone, Default)]
pub struct Done {
    /// What rides in it.
    pub last: Delta,
    /// `stop` or `length`.
    pub reason: String,
    /// The tokens of prompt and answer, for `/api/generate`.
    pub context: Option<Vec<u32>>,
    /// Counts and times.
    pub metrics: Metrics,
}

/// Counts, and times in nanoseconds.
#[derive(Clone, Copy, Default, Serialize)]
#[allow(missing_docs, reason = "Ollama's own names")]
pub struct Metrics {
    #[serde(skip_serializing_if = "is_zero")]
    pub total_duration: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub load_duration: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub prompt_eval_count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub prompt_eval_duration: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub eval_count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub eval_duration: u64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape serde asks for"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Which endpoint writes the lines, and the name it repeats.
#[derive(Clone)]
pub struct Form {
    /// The model as the request wrote it.
    pub model: String,
    /// `/api/generate` has `response` in the place of `message`.
    pub generate: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    model: &'a str,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<LineMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    done_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a [u32]>,
    #[serde(rename = "_debug_info", skip_serializing_if = "Option::is_none")]
    debug_info: Option<DebugInfo<'a>>,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    logprobs: &'a [Value],
    #[serde(flatten)]
    metrics: Metrics,
}

#[derive(Serialize)]
struct LineMessage<'a> {
    role: &'a str,
    content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    thinking: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<&'a Value>,
}

#[derive(Serialize)]
struct DebugInfo<'a> {
    rendered_template: &'a str,
}

impl Form {
    fn line<'a>(&'a self, delta: &'a Delta, done: Option<&'a Done>, role: &'a str) -> Line<'a> {
        let message = LineMessage {
            role,
            content: &delta.content,
            thinking: &delta.thinking,
            tool_calls: delta.tool_calls.as_ref(),
        };
        let thinking = Some(delta.thinking.as_str());
        Line {
            model: &self.model,
            created_at: json::now(),
            message: (!self.generate).then_some(message),
            response: self.generate.then_some(delta.content.as_str()),
            thinking: thinking.filter(|t| self.generate && !t.is_empty()),
            done: done.is_some(),
            done_reason: done.map(|done| done.reason.as_str()),
            context: done.and_then(|done| done.context.as_deref()),
            debug_info: None,
            logprobs: &delta.logprobs,
            metrics: done.map_or_else(Metrics::default, |done| done.metrics),
        }
    }

    /// The single answer to loading or unloading.
    pub fn only_reason(&self, reason: &str) -> Answer {
        let done = Done {
            reason: reason.to_owned(),
            ..Done::default()
        };
        let line = self.line(&done.last, Some(&done), "assistant");
        http::single(StatusCode::OK, &line)
    }

    /// The single answer to `_debug_render_only`.
    pub fn rendered(&self, text: &str) -> Answer {
        let delta = Delta::default();
        let mut line = self.line(&delta, None, "");
        line.debug_info = Some(DebugInfo {
            rendered_template: text,
        });
        http::single(StatusCode::OK, &line)
    }

    /// One piece as one chunk of the stream; `None` ends it.
    fn chunk(&self, piece: Piece) -> Option<io::Result<Bytes>> {
        let line = |mut text: String| {
            text.push('\n');
            Some(Ok(Bytes::from(text)))
        };
        match piece {
            Piece::Delta(delta) => line(json::go(&self.line(&delta, None, "assistant"))),
            Piece::Done(done) => line(json::go(&self.line(&done.last, Some(&done), "assistant"))),
            Piece::Error(_, text) => line(http::error_text(&text)),
            Piece::Raw(bytes) => Some(Ok(bytes)),
            Piece::Cut => Some(Err(io::ErrorKind::ConnectionAborted.into())),
            Piece::Head | Piece::Answer(_) => None,
        }
    }

    /// The streamed answer. Nothing is sent before the first piece.
    ///
    /// # Errors
    /// The connection breaks off before the answer.
    pub async fn stream(self, mut source: Source) -> io::Result<Answer> {
        let first = match source.next().await {
            Some(Piece::Error(status, text)) => return Ok(http::refuse_in_stream(status, &text)),
            Some(Piece::Answer(answer)) => return Ok(*answer),
            Some(Piece::Cut) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Some(Piece::Head) => None,
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

    /// The single answer: everything collected.
    ///
    /// # Errors
    /// The connection breaks off before the answer.
    pub async fn collect(self, mut source: Source) -> io::Result<Answer> {
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
                Piece::Delta(delta) => add(&mut whole, delta),
                Piece::Done(mut done) => {
                    add(&mut whole, std::mem::take(&mut done.last));
                    let line = self.line(&whole, Some(&done), "assistant");
                    return Ok(http::single(StatusCode::OK, &line));
                }
                Piece::Error(status, text) => return Ok(http::refuse(status, &text)),
                Piece::Answer(answer) => return Ok(*answer),
                Piece::Raw(bytes) => raw.extend_from_slice(&bytes),
                Piece::Head => {}
                Piece::Cut => return Err(io::ErrorKind::ConnectionAborted.into()),
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

/// Where the pieces come from: a task that ends when this is dropped.
pub struct Source {
    pieces: mpsc::Receiver<Piece>,
    task: AbortHandle,
}

impl Source {
    /// Starts a task that makes pieces.
    pub fn spawn<F>(make: impl FnOnce(mpsc::Sender<Piece>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, pieces) = mpsc::channel(1);
        let task = tokio::spawn(make(sender)).abort_handle();
        Self { pieces, task }
    }

    /// Waits for the end; the error it ended with, if any.
    pub async fn only_error(mut self) -> Option<String> {
        while let Some(piece) = self.next().await {
            if let Piece::Error(_, text) = piece {
                return Some(text);
            }
        }
        None
    }

    async fn next(&mut self) -> Option<Piece> {
        self.pieces.recv().await
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer of any kind, as a [`super::script::Step::Status`] wants it.
pub fn any_answer(
    status: u16,
    content_type: &str,
    headers: impl IntoIterator<Item = (String, String)>,
    body: String,
) -> Answer {
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
