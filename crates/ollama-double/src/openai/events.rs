//! The events of a streamed answer, and the answer that is not streamed.

use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::http::{self, HttpResponse};
use crate::line::{Delta, LastLine, Metrics};
use crate::stream::{PieceSource, ReadProgress, StreamPiece};
use bytes::Bytes;
use hyper::StatusCode;
use serde_json::{Value, json};
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

/// How the pieces of one answer are written.
pub struct EventForm {
    flavor: Flavor,
    id: String,
    model: String,
    include_usage: bool,
    created: u64,
}

impl EventForm {
    /// The form of an answer of this model.
    pub fn new(flavor: Flavor, id: String, model: &str, include_usage: bool) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            flavor,
            id,
            model: model.to_owned(),
            include_usage,
            created: since.map_or(0, |since| since.as_secs()),
        }
    }

    fn chunk(&self, choices: Value) -> Value {
        json!({"id": self.id, "object": "chat.completion.chunk", "created": self.created,
            "model": self.model, "choices": choices})
    }

    fn choice(&self, delta: Value, finish: Option<&str>) -> Value {
        self.chunk(json!([{"index": 0, "delta": delta, "finish_reason": finish}]))
    }

    /// The first event, which has no text.
    fn role(&self) -> Value {
        let content = match self.flavor {
            Flavor::LlamaServer => Value::Null,
            Flavor::Vllm => json!(""),
        };
        self.choice(json!({"role": "assistant", "content": content}), None)
    }

    /// How far the prompt is read; the event has the role, too.
    fn progress(&self, read: &ReadProgress) -> Value {
        let mut event = self.role();
        event["prompt_progress"] = json!({"total": read.total, "cache": read.cached, "processed": read.processed,
            "time_ms": u64::try_from(read.time.as_millis()).unwrap_or(u64::MAX)});
        event
    }

    fn delta(&self, delta: &Delta) -> Value {
        let delta = match delta.thinking.is_empty() {
            true => json!({"content": delta.content}),
            false => json!({"reasoning_content": delta.thinking}),
        };
        self.choice(delta, None)
    }

    /// The events of tool calls: the first of a call has its id and its name, the next two halves of its arguments.
    fn calls(&self, calls: Option<&Value>) -> Vec<Value> {
        let calls = calls.and_then(Value::as_array).into_iter().flatten();
        let events = calls.enumerate().flat_map(|(index, call)| {
            let call = api_call(call);
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            let (first, second) =
                arguments.split_at(arguments.floor_char_boundary(arguments.len() / 2));
            let pieces = [
                json!({"index": index, "id": call["id"], "type": "function",
                    "function": {"name": call["function"]["name"], "arguments": ""}}),
                json!({"index": index, "function": {"arguments": first}}),
                json!({"index": index, "function": {"arguments": second}}),
            ];
            pieces.map(|piece| self.choice(json!({"tool_calls": [piece]}), None))
        });
        events.collect()
    }

    /// The events of the end: the reason, the counts if they were asked for, and `[DONE]`.
    fn done(&self, done: &LastLine) -> String {
        let calls = self.calls(done.last.tool_calls.as_ref());
        let reason = match calls.is_empty() {
            true => &done.reason,
            false => "tool_calls",
        };
        let mut out: String = calls.iter().map(event).collect();
        out += &event(&self.choice(json!({}), Some(reason)));
        if self.include_usage {
            let mut counts = self.chunk(json!([]));
            counts["usage"] = usage(&done.metrics);
            if self.flavor == Flavor::LlamaServer {
                counts["timings"] = timings(&done.metrics);
            }
            out += &event(&counts);
        }
        out + "data: [DONE]\n\n"
    }

    /// An error in the middle. `llama-server` ends the stream with it, vLLM says `[DONE]` nevertheless.
    fn error(&self, status: StatusCode, text: &str) -> String {
        let refusal = ApiRefusal::new(self.flavor, status, text);
        match self.flavor {
            Flavor::LlamaServer => format!("error: {}\n\n", refusal.error),
            Flavor::Vllm => event(&json!({"error": refusal.error})) + "data: [DONE]\n\n",
        }
    }

    /// One piece as one chunk of the stream; `None` ends it.
    fn piece(&self, piece: StreamPiece) -> Option<io::Result<Bytes>> {
        let text = match piece {
            StreamPiece::Progress(read) => event(&self.progress(&read)),
            StreamPiece::Delta(delta) => event(&self.delta(&delta)),
            StreamPiece::Done(done) => self.done(&done),
            StreamPiece::Error(status, text) => self.error(status, &text),
            StreamPiece::Raw(bytes) => return Some(Ok(bytes)),
            StreamPiece::Cut => return Some(Err(io::ErrorKind::ConnectionAborted.into())),
            StreamPiece::Head | StreamPiece::Answer(_) => return None,
        };
        Some(Ok(Bytes::from(text)))
    }

    /// The streamed answer. vLLM sends its headers at once, `llama-server` with the first token.
    ///
    /// # Errors
    /// The connection breaks before the answer starts.
    pub async fn stream(self, mut source: PieceSource) -> io::Result<HttpResponse> {
        let first = match self.flavor {
            Flavor::Vllm => None,
            Flavor::LlamaServer => match source.next().await {
                Some(StreamPiece::Error(status, text)) => {
                    return Ok(ApiRefusal::new(self.flavor, status, &text).into());
                }
                Some(StreamPiece::Answer(answer)) => return Ok(*answer),
                Some(StreamPiece::Cut) => return Err(io::ErrorKind::ConnectionAborted.into()),
                Some(StreamPiece::Head) => None,
                first => first,
            },
        };
        let role = Some(Bytes::from(event(&self.role())));
        let state = (self, source, role, first);
        let stream = futures::stream::unfold(state, |(form, mut source, role, first)| async move {
            if let Some(role) = role {
                let first = match first {
                    Some(first) => first,
                    None => source.next().await?,
                };
                return Some((Ok(role), (form, source, None, Some(first))));
            }
            let piece = match first {
                Some(piece) => piece,
                None => source.next().await?,
            };
            let chunk = form.piece(piece)?;
            Some((chunk, (form, source, None, None)))
        });
        let kind = Some("text/event-stream; charset=utf-8");
        Ok(http::build(StatusCode::OK, kind, http::chunks(stream)))
    }

    /// The answer as one document.
    ///
    /// # Errors
    /// The connection breaks before the answer starts.
    pub async fn collect(self, mut source: PieceSource) -> io::Result<HttpResponse> {
        let mut whole = Delta::default();
        while let Some(piece) = source.next().await {
            match piece {
                StreamPiece::Delta(delta) => {
                    whole.content.push_str(&delta.content);
                    whole.thinking.push_str(&delta.thinking);
                }
                StreamPiece::Done(done) => return Ok(self.document(&whole, &done)),
                StreamPiece::Error(status, text) => {
                    return Ok(ApiRefusal::new(self.flavor, status, &text).into());
                }
                StreamPiece::Answer(answer) => return Ok(*answer),
                StreamPiece::Raw(_) | StreamPiece::Head | StreamPiece::Progress(_) => {}
                StreamPiece::Cut => break,
            }
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }

    fn document(&self, whole: &Delta, done: &LastLine) -> HttpResponse {
        let mut message = json!({"role": "assistant", "content": whole.content});
        if !whole.thinking.is_empty() {
            message["reasoning_content"] = json!(whole.thinking);
        }
        let mut reason = done.reason.as_str();
        if let Some(Value::Array(calls)) = &done.last.tool_calls {
            message["tool_calls"] = calls.iter().map(api_call).collect();
            reason = "tool_calls";
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        let mut document = self.chunk(json!([choice]));
        document["object"] = json!("chat.completion");
        document["usage"] = usage(&done.metrics);
        http::single_bare(StatusCode::OK, &document)
    }
}

fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// A call in the form of this API: its arguments are a text that holds JSON.
fn api_call(call: &Value) -> Value {
    let function = &call["function"];
    let arguments = match &function["arguments"] {
        Value::String(text) => text.clone(),
        arguments => arguments.to_string(),
    };
    json!({"id": call.get("id").cloned().unwrap_or_else(|| json!("call_standin")), "type": "function",
        "function": {"name": function["name"], "arguments": arguments}})
}

fn usage(metrics: &Metrics) -> Value {
    let (prompt, answer) = (metrics.prompt_eval_count, metrics.eval_count);
    json!({"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer,
        "prompt_tokens_details": {"cached_tokens": metrics.cached}})
}

fn timings(metrics: &Metrics) -> Value {
    #[allow(clippy::cast_precision_loss, reason = "nanoseconds of one answer")]
    let millis = |nanos: u64| nanos as f64 / 1e6;
    json!({
        "cache_n": metrics.cached, "prompt_n": metrics.prompt_eval_count - metrics.cached, "prompt_ms": millis(metrics.prompt_eval_duration),
        "predicted_n": metrics.eval_count, "predicted_ms": millis(metrics.eval_duration),
    })
}
