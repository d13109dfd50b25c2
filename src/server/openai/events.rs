//! Parses the server-sent events of a streamed answer, one line at a time. Every server of this API writes an event as
//! one line `data: {…}`; comments, blank lines and other fields carry nothing of an answer.

use super::list::is_model_name;
use super::partial_calls::PartialCalls;
use super::refusal::{OpenAiRequestContext, from_error};
use crate::server::engine::reader::ReplyReader;
use crate::server::engine::{ChatLine, ChatParser};
use sash_wire::{DoneReason, Fault, ReadingProgress, Usage, is_completion_id};
use serde_json::Value;

/// Parses the events of one answer.
pub struct EventParser {
    engine: String,
    model: String,
    has_key: bool,
    /// Whether the engine was asked to let the thinking be ended.
    ends_thinking: bool,
    reader: ReplyReader,
    finish: Finish,
    usage: Usage,
    calls: PartialCalls,
}

/// What `finish_reason` said.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Finish {
    /// Nothing yet.
    Open,
    /// The answer is complete, or cut off by a limit.
    Done(DoneReason),
    /// The engine's content filter ended it.
    Filtered,
    /// The engine gave it up.
    Aborted,
}

impl EventParser {
    /// A parser for the answer to a request.
    pub fn new(
        asked: &OpenAiRequestContext<'_>,
        reader: &ReplyReader,
        ends_thinking: bool,
    ) -> Self {
        Self {
            engine: asked.engine.to_owned(),
            model: asked.model.to_owned(),
            has_key: asked.has_key,
            ends_thinking,
            reader: reader.clone(),
            finish: Finish::Open,
            usage: Usage::default(),
            calls: PartialCalls::default(),
        }
    }

    fn error(&self, error: &Value) -> Fault {
        let asked = OpenAiRequestContext {
            engine: &self.engine,
            model: &self.model,
            has_key: self.has_key,
        };
        from_error(200, error, &asked)
    }

    fn object(&self, data: &[u8]) -> Result<Value, Fault> {
        let value = self.reader.object(data).map_err(|error| {
            let reason = format!("{} sent an event that {error}", self.engine);
            Fault::BrokenStream { reason }
        })?;
        match value.get("error").filter(|error| !error.is_null()) {
            Some(error) => Err(self.error(error)),
            None => Ok(value),
        }
    }

    /// `[DONE]`: the last event.
    fn done(&mut self) -> Result<Option<ChatLine>, Fault> {
        let reason = match self.finish {
            Finish::Done(reason) => reason,
            Finish::Open => DoneReason::Stop,
            Finish::Aborted => return Err(Fault::EndedEarly),
            Finish::Filtered => {
                let engine = self.engine.clone();
                return Err(Fault::ContentFiltered { engine });
            }
        };
        let (calls, calls_left_out) = self.calls.finish(reason)?;
        Ok(Some(ChatLine {
            calls,
            calls_left_out,
            done: Some((reason, self.usage.clone())),
            ..ChatLine::default()
        }))
    }

    fn event(&mut self, value: &Value) -> Result<ChatLine, Fault> {
        self.read_usage(value);
        let choice = value.pointer("/choices/0").unwrap_or(&Value::Null);
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        match reason {
            None | Some("") => {}
            Some("length") => self.finish = Finish::Done(DoneReason::Length),
            Some("content_filter") => self.finish = Finish::Filtered,
            Some("abort" | "error") => self.finish = Finish::Aborted,
            // "stop", "tool_calls", and what gateways add.
            Some(_) => self.finish = Finish::Done(DoneReason::Stop),
        }
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        self.calls
            .add(delta.get("tool_calls").unwrap_or(&Value::Null));
        let text = |key: &str| delta.get(key).and_then(Value::as_str);
        let thinking = text("reasoning_content").filter(|text| !text.is_empty());
        // Not every server ends with `[DONE]`, so the calls are complete with the reason.
        let (calls, calls_left_out) = match self.finish {
            Finish::Done(reason) => {
                let calls = self.calls.finish(reason);
                if calls.is_err() {
                    // The answer is not complete without its calls.
                    self.finish = Finish::Aborted;
                }
                calls?
            }
            Finish::Open | Finish::Filtered | Finish::Aborted => Default::default(),
        };
        let id = value.get("id").and_then(Value::as_str);
        let id = id.filter(|id| self.ends_thinking && thinking.is_some() && is_completion_id(id));
        Ok(ChatLine {
            endable: id.map(str::to_owned),
            reading: value.get("prompt_progress").and_then(reading),
            thinking: thinking
                .or_else(|| text("reasoning"))
                .unwrap_or_default()
                .to_owned(),
            content: text("content").unwrap_or_default().to_owned(),
            calls,
            calls_left_out,
            done: None,
        })
    }

    /// The counts of the usage event, and the times that `llama-server` adds. A missing figure is unknown.
    fn read_usage(&mut self, value: &Value) {
        let count = |path: &str| value.pointer(path).and_then(Value::as_u64);
        let millis = |path: &str| {
            value
                .pointer(path)
                .and_then(Value::as_f64)
                .filter(|ms| *ms >= 0.0)
        };
        // A `llama-server` answers to any name with the model that it has.
        let answered = value.get("model").and_then(Value::as_str);
        let other = answered.filter(|name| *name != self.model && is_model_name(name));
        let usage = &mut self.usage;
        if let Some(name) = other {
            usage.model = Some(name.to_owned());
        }
        usage.prompt_tokens = count("/usage/prompt_tokens").or(usage.prompt_tokens);
        usage.cached_tokens = count("/usage/prompt_tokens_details/cached_tokens")
            .or_else(|| count("/timings/cache_n"))
            .or(usage.cached_tokens);
        usage.answer_tokens = count("/usage/completion_tokens").or(usage.answer_tokens);
        usage.prompt_ms = millis("/timings/prompt_ms").or(usage.prompt_ms);
        usage.answer_ms = millis("/timings/predicted_ms").or(usage.answer_ms);
    }
}

impl ChatParser for EventParser {
    fn parse(&mut self, line: &[u8]) -> Result<Option<ChatLine>, Fault> {
        if let Some(data) = field(line, "data:") {
            if data == b"[DONE]" {
                return self.done();
            }
            let value = self.object(data)?;
            return self.event(&value).map(Some);
        }
        // Older versions of `llama-server` write an error as a field of its own, and some gateways as bare JSON.
        let bare = field(line, "error:").or_else(|| line.starts_with(b"{").then_some(line));
        let Some(bare) = bare else {
            return Ok(None);
        };
        let value = self.object(bare)?;
        Err(self.error(&value))
    }

    fn ended(&self) -> Option<(DoneReason, Usage)> {
        match self.finish {
            Finish::Done(reason) => Some((reason, self.usage.clone())),
            Finish::Open | Finish::Filtered | Finish::Aborted => None,
        }
    }

    fn sends_headers_first(&self) -> bool {
        true
    }
}

/// How far a `llama-server` has read the prompt.
fn reading(progress: &Value) -> Option<ReadingProgress> {
    let count = |key: &str| progress.get(key).and_then(Value::as_u64);
    let millis = progress.get("time_ms").and_then(Value::as_f64);
    Some(ReadingProgress {
        total: count("total").filter(|total| *total > 0)?,
        cached: count("cache").unwrap_or_default(),
        processed: count("processed")?,
        // A fraction of a millisecond, or a number below zero, is none.
        ms: millis.map_or(0, |ms| ms as u64),
    })
}

/// The value of a field, without the one blank that may stand before it.
fn field<'a>(line: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let value = line.strip_prefix(name.as_bytes())?;
    Some(value.strip_prefix(b" ").unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parser() -> EventParser {
        let asked = OpenAiRequestContext {
            engine: "vllm",
            model: "m",
            has_key: true,
        };
        EventParser::new(&asked, &ReplyReader::default(), true)
    }

    /// How a stream ended; `None` if it has not.
    type Ending = Result<Option<(DoneReason, Usage)>, Fault>;

    /// Thinking, text, and how the answer ended.
    fn read(lines: &[&str]) -> (String, String, Ending) {
        let mut parser = parser();
        let (mut thinking, mut content) = (String::new(), String::new());
        for line in lines {
            match parser.parse(line.as_bytes()) {
                Ok(Some(line)) => {
                    thinking += &line.thinking;
                    content += &line.content;
                    if line.done.is_some() {
                        return (thinking, content, Ok(line.done));
                    }
                }
                Ok(None) => {}
                Err(fault) => return (thinking, content, Err(fault)),
            }
        }
        (thinking, content, Ok(parser.ended()))
    }

    const HELLO: &str =
        r#"data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#;
    const STOP: &str = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

    #[test]
    fn an_answer_of_vllm_is_read_with_its_thinking_and_its_counts() {
        let (thinking, content, end) = read(&[
            r#"data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"data: {"choices":[{"index":0,"delta":{"reasoning_content":"Well."},"finish_reason":null}]}"#,
            r#"data:{"choices":[{"index":0,"delta":{"reasoning":" Yes."},"finish_reason":null}]}"#,
            HELLO,
            STOP,
            r#"data: {"choices":[],"usage":{"prompt_tokens":34,"total_tokens":40,"completion_tokens":6}}"#,
            "data: [DONE]",
        ]);
        assert_eq!((&*thinking, &*content), ("Well. Yes.", "Hello"));
        let (reason, usage) = end.unwrap().unwrap();
        assert_eq!(reason, DoneReason::Stop);
        assert_eq!(
            (usage.prompt_tokens, usage.answer_tokens),
            (Some(34), Some(6))
        );
    }

    #[test]
    fn the_times_of_llama_server_are_read_too() {
        let last = r#"data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2},"timings":{"prompt_n":3,"prompt_ms":12.5,"predicted_n":2,"predicted_ms":40.25}}"#;
        let (_, _, end) = read(&[HELLO, STOP, last, "data: [DONE]"]);
        let (_, usage) = end.unwrap().unwrap();
        assert_eq!(
            (usage.prompt_ms, usage.answer_ms),
            (Some(12.5), Some(40.25))
        );
    }

    /// Regression: the answer of a server that was started anew with another model was put down to the former one.
    #[test]
    fn the_model_that_answered_is_named_if_it_is_another_one() {
        let model = |name: &str| {
            let event = format!(r#"data: {{"model":"{name}","choices":[]}}"#);
            read(&[&event, HELLO, STOP, "data: [DONE]"])
                .2
                .unwrap()
                .unwrap()
                .1
                .model
        };
        assert_eq!(model("m"), None);
        assert_eq!(model("other.gguf").as_deref(), Some("other.gguf"));
        assert_eq!(model(""), None);
    }

    #[test]
    fn comments_and_other_fields_carry_nothing() {
        let (_, content, end) = read(&[
            ": ping",
            ":",
            "event: message",
            "id: 7",
            "retry: 10",
            "nonsense",
            HELLO,
            "data: [DONE]",
        ]);
        assert_eq!(
            (&*content, end.unwrap().unwrap().0),
            ("Hello", DoneReason::Stop)
        );
    }

    #[test]
    fn every_reason_to_finish_has_its_end() {
        let finish = |reason: &str| {
            let line = format!(
                r#"data: {{"choices":[{{"delta":{{"content":"!"}},"finish_reason":"{reason}"}}]}}"#
            );
            read(&[HELLO, &line, "data: [DONE]"])
        };
        for (reason, done) in [
            ("stop", DoneReason::Stop),
            ("tool_calls", DoneReason::Stop),
            ("length", DoneReason::Length),
        ] {
            let (_, content, end) = finish(reason);
            assert_eq!(
                (&*content, end.unwrap().unwrap().0),
                ("Hello!", done),
                "{reason}"
            );
        }
        let (_, content, end) = finish("content_filter");
        assert_eq!(content, "Hello!");
        assert_eq!(
            end,
            Err(Fault::ContentFiltered {
                engine: "vllm".into()
            })
        );
        assert_eq!(finish("abort").2, Err(Fault::EndedEarly));
    }

    #[test]
    fn a_stream_that_ends_after_its_reason_is_complete_and_any_other_is_not() {
        assert_eq!(read(&[HELLO, STOP]).2.unwrap().unwrap().0, DoneReason::Stop);
        assert_eq!(read(&[HELLO]).2, Ok(None));
    }

    #[test]
    fn an_error_in_the_middle_ends_the_answer_in_each_form() {
        for line in [
            r#"data: {"error":{"code":500,"message":"boom","type":"server_error"}}"#,
            r#"error: {"code":500,"message":"boom","type":"server_error"}"#,
            r#"error: {"error":{"message":"boom"}}"#,
            r#"{"error":{"message":"boom"}}"#,
            r#"data: {"error":"boom"}"#,
        ] {
            let (_, content, end) = read(&[HELLO, line, HELLO]);
            assert_eq!(content, "Hello");
            assert_eq!(
                end,
                Err(Fault::ModelFailed {
                    reason: "boom".into()
                }),
                "{line}"
            );
        }
        let overflow = r#"data: {"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}"#;
        assert!(matches!(
            read(&[overflow]).2,
            Err(Fault::ContextOverflow { .. })
        ));
    }

    /// The chunk is one of `llama-server` b11434.
    #[test]
    fn progress_of_reading_is_a_line_of_its_own() {
        let progress = |text: &str| {
            let line = format!(
                r#"data: {{"choices":[{{"finish_reason":null,"index":0,"delta":{{"role":"assistant","content":null}}}}],"prompt_progress":{text}}}"#
            );
            let line = parser().parse(line.as_bytes()).unwrap().unwrap();
            let reading = line.reading;
            let rest = ChatLine {
                reading: None,
                ..line
            };
            assert_eq!(rest, ChatLine::default(), "nothing but the progress");
            reading
        };
        assert_eq!(
            progress(r#"{"total":3030,"cache":3,"processed":2048,"time_ms":6512}"#),
            Some(ReadingProgress {
                total: 3030,
                cached: 3,
                processed: 2048,
                ms: 6512
            })
        );
        for none in [
            "null",
            "[]",
            "{}",
            r#"{"total":0,"processed":0}"#,
            r#"{"total":9}"#,
        ] {
            assert_eq!(progress(none), None, "{none}");
        }
        let odd = progress(r#"{"total":9,"processed":3,"cache":-1,"time_ms":-0.5}"#);
        assert_eq!(odd.map(|read| (read.cached, read.ms)), Some((0, 0)));
    }

    #[test]
    fn an_answer_that_thinks_has_the_id_by_which_its_thinking_is_ended() {
        let endable = |delta: &str, id: &str| {
            let line = format!(r#"data: {{"id":{id},"choices":[{{"delta":{{{delta}}}}}]}}"#);
            parser().parse(line.as_bytes()).unwrap().unwrap().endable
        };
        let thinks = r#""reasoning_content":"Well""#;
        assert_eq!(
            endable(thinks, r#""chatcmpl-1""#).as_deref(),
            Some("chatcmpl-1")
        );
        assert_eq!(endable(r#""content":"Yes""#, r#""chatcmpl-1""#), None);
        let long = format!("\"{}\"", "a".repeat(201));
        for strange in ["null", "7", r#""""#, r#""a b""#, r#""a\nb""#, &long] {
            assert_eq!(endable(thinks, strange), None, "{strange}");
        }
    }

    #[test]
    fn strange_events_are_borne_and_unreadable_ones_are_said() {
        for line in [
            "data: {}",
            r#"data: {"choices":null,"usage":null}"#,
            r#"data: {"choices":[null]}"#,
            r#"data: {"choices":[{"delta":{"content":[1],"reasoning_content":7},"finish_reason":3}],"error":null}"#,
        ] {
            assert_eq!(
                parser().parse(line.as_bytes()),
                Ok(Some(ChatLine::default())),
                "{line}"
            );
        }
        for line in ["data: [1]", "data: {oops", "data: hello", "data:", "{oops"] {
            let fault = parser().parse(line.as_bytes()).unwrap_err();
            assert!(
                matches!(fault, Fault::BrokenStream { .. }),
                "{line} {fault}"
            );
        }
        let half = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe6\"}}]}";
        assert_eq!(parser().parse(half).unwrap().unwrap().content, "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in proptest::collection::vec(any::<u8>(), 0..60), prefix in 0..4_usize) {
            let line = [[&b""[..], b"data: ", b"data:{", b"error: "][prefix], &line[..]].concat();
            drop(parser().parse(&line));
        }
    }
}
