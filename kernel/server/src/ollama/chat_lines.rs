//! Parses the lines of an answer of Ollama, as tolerantly as [`super::reply`].

use super::reply::items;
use super::{OllamaRequestContext, error_of, from_error};
use crate::engine::http::compression_of;
use crate::engine::joiner::TextJoiner;
use crate::engine::parts::MessageText;
use crate::engine::reader::{
    MAX_VALUES, MarkedValue, ReplyError, ReplyReader, ReplyShape, is_within_limits,
};
use crate::engine::{ChatLine, EngineLabel, UnreadParts, excerpt};
use sash_chat::{MAX_CALLS, ToolCall};
use sash_wire::{DoneReason, Fault, MAX_LINE, Usage};
use serde_json::Value;

/// The lines of one answer so far.
#[derive(Debug, Default)]
pub struct ChatLines {
    begun: bool,
    /// An object that is written in several lines, as a proxy may print it, and its shape.
    held: Option<(Vec<u8>, ReplyShape)>,
    thinking: TextJoiner,
    content: TextJoiner,
    unread: UnreadParts,
    has_calls: bool,
}

impl ChatLines {
    /// Parses a line.
    ///
    /// # Errors
    /// [`Fault::BrokenStream`], or the fault that Ollama's error means.
    pub fn parse(
        &mut self,
        bytes: &[u8],
        asked: &OllamaRequestContext<'_>,
    ) -> Result<Option<ChatLine>, Fault> {
        let mut bytes = bytes;
        if !std::mem::replace(&mut self.begun, true) {
            if let Some(encoding) = compression_of(bytes) {
                let label = EngineLabel::Ollama(asked.address.to_owned());
                return Err(label.compressed(200, encoding));
            }
            bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        }
        match self.hold(bytes) {
            ObjectLine::No => self.line(bytes, asked),
            ObjectLine::Begun => Ok(None),
            ObjectLine::Whole(object) => self.line(&object, asked),
        }
    }

    /// Waits for the rest of an object that is written in several lines.
    fn hold(&mut self, line: &[u8]) -> ObjectLine {
        let is_begin = self.held.is_none() && line.trim_ascii() == b"{";
        if is_begin {
            self.held = Some((Vec::new(), ReplyShape::new(MAX_VALUES)));
        }
        let Some((held, shape)) = &mut self.held else {
            return ObjectLine::No;
        };
        held.extend_from_slice(line);
        held.push(b'\n');
        let pushed = shape.push(line);
        if pushed.is_ok() && !shape.is_whole() && held.len() <= MAX_LINE {
            return ObjectLine::Begun;
        }
        let held = self.held.take().map(|(held, _)| held);
        ObjectLine::Whole(held.unwrap_or_default())
    }

    fn line(
        &mut self,
        bytes: &[u8],
        asked: &OllamaRequestContext<'_>,
    ) -> Result<Option<ChatLine>, Fault> {
        let marked = ReplyReader::default().piece(bytes);
        let marked = marked.map_err(|error| broken(bytes, &error.to_string()))?;
        let value = marked.plain();
        let error = error_of(&value).map(|error| from_error(200, error, asked));
        let mut line = match (has_answer(&value), &error) {
            (true, _) => self.read(&marked, &value, bytes)?,
            (false, Some(_)) => ChatLine::default(),
            (false, None) => return Err(broken(bytes, "holds no message")),
        };
        if error.is_some() {
            line.done = None;
            line.failed = error;
        }
        line.or_fault()
    }

    fn read(
        &mut self,
        marked: &MarkedValue,
        value: &Value,
        bytes: &[u8],
    ) -> Result<ChatLine, Fault> {
        let unread = &mut self.unread;
        let mut text = MessageText::default();
        // A message that is a text is none of the answer.
        if !value["message"].is_string() {
            text = MessageText::read(&marked.value["message"], unread);
        }
        // The form of `/api/generate`.
        text.add_content(&marked.value["response"], unread);
        if !value["message"].is_object() {
            let thinking = MessageText::read(&marked.value["thinking"], unread);
            text.thinking += &thinking.content;
        }
        let (calls, calls_left_out) =
            calls(&value["message"]).map_err(|error| broken(bytes, &error))?;
        self.has_calls |= !calls.is_empty();
        let done = value["done"] == true;
        let mut line = ChatLine {
            thinking: self.thinking.push(&text.thinking, marked.mark),
            content: self.content.push(&text.content, marked.mark),
            calls,
            calls_left_out,
            ..ChatLine::default()
        };
        if done {
            line.thinking += &self.thinking.finish();
            line.content += &self.content.finish();
            line.failed = self.unread.fault(self.has_calls);
            line.done = line.failed.is_none().then(|| (reason(value), usage(value)));
        }
        Ok(line)
    }

    /// The last line of a stream that ended without one.
    pub fn finish(&mut self, fault: Fault) -> ChatLine {
        let held = self.held.take().filter(|_| fault == Fault::EndedEarly);
        let unread = self.unread.fault(self.has_calls);
        let unread = unread.filter(|_| fault == Fault::EndedEarly);
        let held = held.map(|(held, _)| broken(&held, "is not whole"));
        ChatLine {
            thinking: self.thinking.finish(),
            content: self.content.finish(),
            failed: Some(held.or(unread).unwrap_or(fault)),
            ..ChatLine::default()
        }
    }
}

/// What a line is of an object in several lines.
enum ObjectLine {
    /// No part of one.
    No,
    /// A part that is not the last.
    Begun,
    /// The last part of this one.
    Whole(Vec<u8>),
}

fn broken(bytes: &[u8], error: &str) -> Fault {
    tracing::info!(%error, "Ollama sent a line that cannot be read");
    let reason = excerpt(&ReplyReader::default().text(bytes));
    Fault::BrokenStream { reason }
}

/// Whether a line has a message, or is the last one. A message that is a text is the words of an error.
fn has_answer(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some_and(|field| !field.is_string());
    has("message") || value["response"].is_string() || value["done"] == true
}

/// The first calls of a message, and how many more there are. Arguments may be a text that holds JSON.
fn calls(message: &Value) -> Result<(Vec<ToolCall>, usize), String> {
    let mut texts = items(message, "tool_calls")
        .filter_map(|call| call.pointer("/function/arguments").and_then(Value::as_str));
    if !texts.all(is_within_limits) {
        let error = ReplyError::TooComplex;
        return Err(format!("has a tool call that {error}"));
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

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: OllamaRequestContext<'static> = OllamaRequestContext {
        model: "m",
        address: "",
    };

    fn parse(bytes: &[u8]) -> Result<ChatLine, Fault> {
        let line = ChatLines::default().parse(bytes, &ASKED)?;
        Ok(line.unwrap_or_default())
    }

    fn chat(text: &str) -> ChatLine {
        parse(text.as_bytes()).unwrap()
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
            r#"{"message":{"content":null,"thinking":[],"tool_calls":[{}]},"new":1}"#,
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
            let fault = parse(bytes).unwrap_err();
            assert!(
                matches!(fault, Fault::BrokenStream { .. }),
                "{bytes:?} {fault}"
            );
        }
    }

    #[test]
    fn a_bad_byte_and_half_a_surrogate_pair_are_replaced() {
        for bytes in [
            &b"{\"message\":{\"content\":\"a\xFFb\"}}"[..],
            br#"{"message":{"content":"a\ud800b"}}"#,
        ] {
            assert_eq!(parse(bytes).unwrap().content, "a\u{fffd}b");
        }
    }

    /// The text of an answer, and how it ended.
    fn read(lines: &[&str]) -> (String, String, Result<DoneReason, Fault>) {
        let mut all = ChatLines::default();
        let (mut thinking, mut content) = (String::new(), String::new());
        let mut add = |line: ChatLine| {
            thinking += &line.thinking;
            content += &line.content;
            line.failed
                .map(Err)
                .or(line.done.map(|(reason, _)| Ok(reason)))
        };
        for line in lines {
            let end = match all.parse(line.as_bytes(), &ASKED) {
                Ok(line) => add(line.unwrap_or_default()),
                Err(fault) => add(all.finish(fault)),
            };
            if let Some(end) = end {
                return (thinking, content, end);
            }
        }
        let end = add(all.finish(Fault::EndedEarly)).unwrap();
        (thinking, content, end)
    }

    const END: &str = r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#;

    fn check(lines: &[&str], thinking: &str, content: &str) {
        let expected = (
            thinking.to_owned(),
            content.to_owned(),
            Ok(DoneReason::Stop),
        );
        assert_eq!(read(lines), expected, "{lines:?}");
    }

    /// Regression: an emoji whose halves came in two lines became two U+FFFD.
    #[test]
    fn halves_of_a_character_are_joined_across_lines() {
        check(
            &[
                r#"{"message":{"content":"a\ud83d"}}"#,
                r#"{"message":{"content":"\ude00b"}}"#,
                END,
            ],
            "",
            "a😀b",
        );
        check(
            &[
                r#"{"message":{"thinking":"\ud83d"}}"#,
                r#"{"message":{"thinking":"\ude00","content":"\ud83c"}}"#,
                r#"{"message":{"content":"\udf0d"}}"#,
                END,
            ],
            "😀",
            "🌍",
        );
        check(
            &[r#"{"message":{"content":"a\ud83d"}}"#, END],
            "",
            "a\u{fffd}",
        );
        let (_, content, _) = read(&[r#"{"message":{"content":"a\ud83d"}}"#]);
        assert_eq!(content, "a\u{fffd}");
    }

    #[test]
    fn text_is_read_in_every_form() {
        check(
            &[
                r#"{"message":{"content":[{"type":"text","text":"a"}]}}"#,
                END,
            ],
            "",
            "a",
        );
        check(
            &[
                r#"{"message":{"content":[{"type":"thinking","thinking":"t"},"a"],"reasoning":"u"}}"#,
                END,
            ],
            "tu",
            "a",
        );
        check(
            &[
                r#"{"response":"a","done":false}"#,
                r#"{"response":"b","done":true}"#,
            ],
            "",
            "ab",
        );
        let whole = "{\n  \"message\": {\n    \"content\": \"a {\"\n  },\n  \"done\": true\n}";
        check(&whole.lines().collect::<Vec<_>>(), "", "a {");
        check(&["\u{feff}{\"message\":{\"content\":\"a\"}}", END], "", "a");
    }

    #[test]
    fn what_cannot_be_read_is_said_at_the_end() {
        let (_, content, end) = read(&[
            r#"{"message":{"content":[{"type":"text","text":"a"},{"type":"image","image":"x"}]}}"#,
            END,
        ]);
        let fault = end.unwrap_err();
        assert_eq!(
            (content.as_str(), fault.code().as_str()),
            ("a", "parts_unread")
        );
        assert!(fault.to_string().contains("image: {\"type\""), "{fault}");
        let cut = read(&["{", "\"message\": {\"content\": \"lost\"}"])
            .2
            .unwrap_err();
        assert!(cut.to_string().contains("lost"), "{cut}");
    }

    #[test]
    fn an_error_ends_the_answer_in_every_form_behind_the_text_of_its_line() {
        for line in [
            r#"{"error":"boom"}"#,
            r#"{"error":{"message":"boom"}}"#,
            r#"{"error":["boom"]}"#,
            r#"{"detail":"boom"}"#,
            r#"{"detail":[{"loc":["body"],"msg":"boom"}]}"#,
            r#"{"message":"boom"}"#,
            r#"{"text":"boom"}"#,
            r#"{"message":"boom","done":true}"#,
        ] {
            let (_, content, end) = read(&[r#"{"message":{"content":"a"}}"#, line, END]);
            let reason = "boom".to_owned();
            assert_eq!(
                (content.as_str(), end),
                ("a", Err(Fault::ModelFailed { reason })),
                "{line}"
            );
        }
        let both = r#"{"message":{"content":"b"},"done":true,"error":"server busy, wait"}"#;
        let (_, content, end) = read(&[r#"{"message":{"content":"a"}}"#, both]);
        assert_eq!((content.as_str(), end), ("ab", Err(Fault::OllamaBusy)));
    }

    /// Regression: a text beside a message ended the answer.
    #[test]
    fn a_text_beside_an_answer_is_no_error() {
        check(
            &[
                r#"{"message":{"content":"a"},"text":"a"}"#,
                r#"{"response":"b","message":"queued"}"#,
                r#"{"message":{"content":"c"},"text":"c","detail":null}"#,
                END,
            ],
            "",
            "abc",
        );
        let (_, _, end) = read(&[r#"{"message":{"content":"a"},"detail":"boom"}"#]);
        assert!(matches!(end, Err(Fault::ModelFailed { .. })), "{end:?}");
    }

    #[test]
    fn a_part_that_is_a_call_is_read_as_one() {
        let call = r#""tool_calls":[{"function":{"name":"f","arguments":{}}}]"#;
        let part = r#"{"message":{"content":[{"type":"tool_use","name":"f"},{"text":"a"}]}}"#;
        check(
            &[part, &format!(r#"{{"message":{{{call}}}}}"#), END],
            "",
            "a",
        );
        assert!(read(&[part, END]).2.is_err());
    }

    #[test]
    fn a_compressed_answer_is_named() {
        let fault = parse(b"\x1f\x8b\x08\0\0").unwrap_err();
        assert!(fault.to_string().contains("gzip"), "{fault}");
    }
}
