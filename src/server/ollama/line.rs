//! Parses the lines of Ollama's streams, as tolerantly as [`super::reply`]. A line is an error only if it
//! cannot be used at all.

use super::reply::{items, number, text};
use super::{OllamaRequestContext, from_error};
use crate::server::engine::ChatLine;
use crate::server::engine::reader::{ReplyError, ReplyReader, is_within_limits};
use sash_chat::{MAX_CALLS, ToolCall};
use sash_wire::{DoneReason, Fault, Usage};
use serde_json::Value;

/// A line of one of Ollama's streams, apart from its error lines.
pub trait StreamLine: Sized {
    /// Parses a line.
    ///
    /// # Errors
    /// A sentence for the person if a required part is missing.
    fn read(value: &Value) -> Result<Self, String>;
}

/// Parses a line of a stream. An error ends the stream: the line is unreadable, or it is Ollama's error.
///
/// # Errors
/// [`Fault::BrokenStream`], or the fault that Ollama's error means.
pub fn line<L: StreamLine>(bytes: &[u8], asked: &OllamaRequestContext<'_>) -> Result<L, Fault> {
    let unreadable = |reason| Fault::BrokenStream { reason };
    let object = ReplyReader::default().object(bytes);
    let value = object.map_err(|error| unreadable(format!("Ollama sent a line that {error}")))?;
    match value.get("error").filter(|error| !error.is_null()) {
        Some(error) => Err(from_error(200, error, asked)),
        None => L::read(&value).map_err(unreadable),
    }
}

impl StreamLine for ChatLine {
    fn read(value: &Value) -> Result<Self, String> {
        let done = value.get("done").and_then(Value::as_bool) == Some(true);
        let Some(message) = value.get("message").or(done.then_some(&Value::Null)) else {
            return Err("Ollama sent a line that holds no message".to_owned());
        };
        let (calls, calls_left_out) = calls(message)?;
        Ok(Self {
            thinking: text(message, "thinking"),
            content: text(message, "content"),
            calls,
            calls_left_out,
            done: done.then(|| (reason(value), usage(value))),
            ..Self::default()
        })
    }
}

/// The first calls of a message, and how many more there are. Arguments may be a text that holds JSON.
fn calls(message: &Value) -> Result<(Vec<ToolCall>, usize), String> {
    let mut texts = items(message, "tool_calls")
        .filter_map(|call| call.pointer("/function/arguments").and_then(Value::as_str));
    if !texts.all(is_within_limits) {
        let error = ReplyError::TooComplex;
        return Err(format!("Ollama sent a tool call that {error}"));
    }
    Ok(message
        .get("tool_calls")
        .map(|calls| ToolCall::list_at_most(calls, MAX_CALLS))
        .unwrap_or_default())
}

fn reason(line: &Value) -> DoneReason {
    match line.get("done_reason").and_then(Value::as_str) {
        Some("length") => DoneReason::Length,
        _ => DoneReason::Stop,
    }
}

/// Counts and times. Ollama leaves out zeros, so a missing figure is unknown.
fn usage(line: &Value) -> Usage {
    let count = |key: &str| line.get(key).and_then(Value::as_u64);
    let millis = |key: &str| {
        let nanos = line.get(key).and_then(Value::as_f64)?;
        (nanos >= 0.0).then_some(nanos / 1e6)
    };
    Usage {
        model: None,
        prompt_tokens: count("prompt_eval_count"),
        cached_tokens: None,
        answer_tokens: count("eval_count"),
        load_ms: millis("load_duration"),
        prompt_ms: millis("prompt_eval_duration"),
        answer_ms: millis("eval_duration"),
    }
}

/// One line of a pull.
#[derive(Debug, Default, PartialEq)]
pub struct PullLine {
    /// Ollama's description of the step.
    pub status: String,
    /// The layer that is transferred.
    pub digest: Option<String>,
    /// The layer's size in bytes.
    pub total: u64,
    /// The bytes of the layer that were transferred; absent while there are none.
    pub completed: u64,
}

impl StreamLine for PullLine {
    fn read(value: &Value) -> Result<Self, String> {
        if !value.get("status").is_some_and(Value::is_string) {
            return Err("Ollama sent a line that holds no status".to_owned());
        }
        let digest = text(value, "digest");
        Ok(Self {
            status: text(value, "status"),
            digest: Some(digest).filter(|digest| !digest.is_empty()),
            total: number(value, "total"),
            completed: number(value, "completed"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: OllamaRequestContext<'static> = OllamaRequestContext {
        model: "m",
        address: "",
    };

    fn chat(text: &str) -> ChatLine {
        line(text.as_bytes(), &ASKED).unwrap()
    }

    #[test]
    fn a_chat_line_is_text_or_thinking_or_both() {
        let line =
            chat(r#"{"message":{"role":"assistant","content":"a","thinking":"t"},"done":false}"#);
        assert_eq!((line.content.as_str(), line.thinking.as_str()), ("a", "t"));
        assert_eq!(line.done, None);
    }

    #[test]
    fn the_last_line_carries_reason_and_figures() {
        let line = chat(
            r#"{"message":{"content":"z"},"done":true,"done_reason":"length","load_duration":263992011,"prompt_eval_count":34,"eval_count":6,"eval_duration":49853000}"#,
        );
        let (reason, usage) = line.done.unwrap();
        assert_eq!((reason, line.content.as_str()), (DoneReason::Length, "z"));
        assert_eq!(
            (usage.prompt_tokens, usage.answer_tokens),
            (Some(34), Some(6))
        );
        assert_eq!((usage.answer_ms, usage.prompt_ms), (Some(49.853), None));
    }

    #[test]
    fn strange_fields_are_borne() {
        for line in [
            r#"{"message":null,"done":false}"#,
            r#"{"message":{"content":null,"thinking":7,"tool_calls":[{}]},"new":1}"#,
            r#"{"message":{},"done":"no","done":null,"eval_count":-3}"#,
            r#"{"message":{"images":["x"]},"done":false,"error":null}"#,
        ] {
            assert_eq!(chat(line), ChatLine::default(), "{line}");
        }
        let line = chat(
            r#"{"message":{"content":"a","content":"b"},"done":true,"eval_count":99999999999999999999999}"#,
        );
        assert_eq!(line.content, "b");
        assert_eq!(line.done.unwrap().1.answer_tokens, None);
        assert!(chat(r#"{"done":true}"#).done.is_some());
    }

    #[test]
    fn what_nothing_can_be_made_of_is_an_error() {
        for bytes in [
            &b"[1]"[..],
            b"3",
            b"{\"done\":false}",
            b"{\"message\":",
            b"<html>",
            b"\xff",
        ] {
            for fault in [
                line::<ChatLine>(bytes, &ASKED).unwrap_err(),
                line::<PullLine>(bytes, &ASKED).unwrap_err(),
            ] {
                assert!(
                    matches!(fault, Fault::BrokenStream { .. }),
                    "{bytes:?} {fault}"
                );
            }
        }
    }

    #[test]
    fn a_bad_byte_and_half_a_surrogate_pair_are_replaced() {
        for bytes in [
            &b"{\"message\":{\"content\":\"a\xFFb\"}}"[..],
            br#"{"message":{"content":"a\ud800b"}}"#,
        ] {
            let read: ChatLine = line(bytes, &ASKED).unwrap();
            assert_eq!(read.content, "a\u{fffd}b");
        }
    }

    #[test]
    fn an_error_comes_before_anything_else_in_a_line() {
        let bytes =
            br#"{"message":{"content":"a"},"status":"success","error":"server busy, wait"}"#;
        for fault in [
            line::<ChatLine>(bytes, &ASKED).unwrap_err(),
            line::<PullLine>(bytes, &ASKED).unwrap_err(),
        ] {
            assert_eq!(fault, Fault::OllamaBusy);
        }
    }
}
