//! Parses the server-sent events of a streamed answer, and the answer of a server that does not stream.

use super::choice_text::AnswerText;
use super::event_lines::{EventLines, EventName, EventPart};
use super::list::is_model_name;
use super::partial_calls::PartialCalls;
use super::refusal::{OpenAiRequestContext, error_of, from_error};
use crate::server::engine::error_words::is_empty;
use crate::server::engine::http::compression_of;
use crate::server::engine::parts::MessageText;
use crate::server::engine::reader::{MarkedValue, ReplyError, ReplyReader, is_beginning};
use crate::server::engine::{ChatLine, ChatParser, EngineLabel, excerpt};
use sash_wire::{DoneReason, Fault, LineDecoder, ReadingProgress, Usage, is_completion_id};
use serde_json::Value;

/// Parses the events of one answer.
pub struct EventParser {
    engine: String,
    model: String,
    has_key: bool,
    /// Whether the engine was asked to let the thinking be ended.
    ends_thinking: bool,
    reader: ReplyReader,
    lines: EventLines,
    /// Whether a line was read.
    begun: bool,
    /// The index of the choice that is read. Others are further answers, for which nobody asked.
    choice: Option<u64>,
    text: AnswerText,
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

impl Finish {
    /// Reads a reason, in the words of this API and of those that gateways pass on.
    fn read(reason: &str) -> Option<Self> {
        Some(match reason.to_ascii_lowercase().as_str() {
            "" => return None,
            "length" | "max_tokens" | "max_output_tokens" | "model_length"
            | "model_context_window_exceeded" => Self::Done(DoneReason::Length),
            "content_filter" | "safety" | "recitation" | "prohibited_content" | "blocklist" => {
                Self::Filtered
            }
            "abort" | "error" | "cancelled" | "network_error" | "server_error"
            | "insufficient_system_resource" => Self::Aborted,
            // "stop", "tool_calls", and what gateways add.
            _ => Self::Done(DoneReason::Stop),
        })
    }
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
            lines: EventLines::default(),
            begun: false,
            choice: None,
            text: AnswerText::default(),
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

    /// The error of a text, which may be JSON.
    fn error_of_text(&self, bytes: &[u8]) -> Fault {
        match self.reader.object(bytes) {
            Ok(value) => self.error(error_of(&value).unwrap_or(&value)),
            Err(_) => self.error(&Value::String(self.reader.text(bytes))),
        }
    }

    fn broken(&self, bytes: &[u8], error: ReplyError) -> Fault {
        let begin = excerpt(&self.reader.text(bytes));
        Fault::BrokenStream {
            reason: format!("{} sent an event that {error}: {begin}", self.engine),
        }
    }

    fn part(&mut self, part: EventPart<'_>) -> Result<Option<ChatLine>, Fault> {
        match part {
            EventPart::Nothing => Ok(None),
            EventPart::Done => {
                let reason = match self.finish {
                    Finish::Open => Finish::Done(DoneReason::Stop),
                    finish => finish,
                };
                self.last_line(reason, Fault::EndedEarly).or_fault()
            }
            EventPart::Error(words) => Err(self.error_of_text(&words)),
            EventPart::Broken(data) => {
                let error = self.reader.object(&data).err();
                Err(self.broken(&data, error.unwrap_or(ReplyError::NotObject)))
            }
            EventPart::Object(data, name) => self.object(data, name, Some(false)),
            EventPart::Bare(data) => self.object(data, EventName::Other, Some(true)),
            EventPart::Joined(data, name) => self.object(&data, name, None),
        }
    }

    /// Reads an object. `held` says how the rest of one that has only begun is awaited.
    fn object(
        &mut self,
        data: &[u8],
        name: EventName,
        held: Option<bool>,
    ) -> Result<Option<ChatLine>, Fault> {
        match (self.reader.piece(data), held) {
            (Ok(value), _) => self.event(&value, name),
            (Err(ReplyError::NotJson(_)), Some(is_bare)) if is_beginning(data) => {
                self.lines.hold(data, name, is_bare);
                Ok(None)
            }
            (Err(_), _) if name == EventName::Error => Err(self.error_of_text(data)),
            (Err(error), _) => Err(self.broken(data, error)),
        }
    }

    fn event(&mut self, marked: &MarkedValue, name: EventName) -> Result<Option<ChatLine>, Fault> {
        let value = marked.plain();
        let choices = self.choices(&marked.value);
        if name == EventName::Ping && choices.is_empty() {
            return Ok(None);
        }
        let of_choice = choices.iter().map(|choice| &choice["error"]);
        let of_choice = of_choice.into_iter().find(|error| !is_empty(error));
        let error = match name {
            EventName::Error => Some(error_of(&value).unwrap_or(&value)),
            _ => error_of(&value).or(of_choice),
        };
        let error = error.map(|error| self.error(error));
        let before = self.finish;
        let mut line = match error.is_some() && choices.is_empty() {
            true => ChatLine::default(),
            false => self.line(marked, &value, &choices),
        };
        if error.is_some() && before == Finish::Open {
            self.finish = Finish::Aborted;
        }
        // Its error is told behind the text of the event.
        line.failed = error.or(line.failed);
        line.or_fault()
    }

    /// The choices of an event that are of this answer.
    fn choices<'a>(&mut self, event: &'a Value) -> Vec<&'a Value> {
        let listed = event["choices"].as_array();
        let listed = listed.map(Vec::as_slice).unwrap_or_default().iter();
        let index = |(at, choice): (usize, &Value)| choice["index"].as_u64().unwrap_or(at as u64);
        let first = listed.clone().enumerate().map(index).min();
        self.choice = self.choice.or(first);
        let ours = listed.enumerate().filter(|listed| Some(index(*listed)) == self.choice);
        ours.map(|(_, choice)| choice).collect()
    }

    fn line(&mut self, marked: &MarkedValue, value: &Value, choices: &[&Value]) -> ChatLine {
        self.read_usage(value);
        let mark = marked.mark;
        let is_reply = value["object"] == "chat.completion";
        let mut text = MessageText::default();
        let mut reason = None;
        for choice in choices {
            let finish = choice["finish_reason"].as_str().and_then(Finish::read);
            let is_whole = is_reply || finish.is_some() || self.finish != Finish::Open;
            reason = finish.or(reason);
            let news = self.text.add_choice(choice, mark, is_whole);
            text.thinking += &news.thinking;
            text.content += &news.content;
            for message in [&choice["delta"], &choice["message"]] {
                self.calls.add_message(message, mark);
            }
        }
        if choices.is_empty() {
            reason = other_finish(value);
            text = self.text.add_other(&marked.value, mark, reason.is_some());
            self.calls.add_message(&marked.value["message"], mark);
        } else if is_reply && self.finish == Finish::Open {
            let has_message = choices.iter().any(|choice| choice["message"].is_object());
            reason = reason.or(has_message.then_some(Finish::Done(DoneReason::Stop)));
        }
        self.finish = reason.unwrap_or(self.finish);
        let mut line = ChatLine {
            endable: self.endable(value, choices),
            reading: value.get("prompt_progress").and_then(reading),
            thinking: text.thinking,
            content: text.content,
            ..ChatLine::default()
        };
        // Not every server ends with `[DONE]`, so the calls are complete with the reason.
        if let Finish::Done(reason) = self.finish {
            self.add_calls(reason, &mut line);
        }
        line
    }

    fn add_calls(&mut self, reason: DoneReason, line: &mut ChatLine) {
        match self.calls.finish(reason) {
            Ok((calls, left_out)) => (line.calls, line.calls_left_out) = (calls, left_out),
            Err(fault) => {
                // The answer is not complete without its calls.
                self.finish = Finish::Aborted;
                line.failed = Some(fault);
            }
        }
    }

    /// The id by which the thinking of this event can be ended.
    fn endable(&self, value: &Value, choices: &[&Value]) -> Option<String> {
        let mut deltas = choices.iter().map(|choice| &choice["delta"]["reasoning_content"]);
        let thinks = deltas.any(|text| text.as_str().is_some_and(|text| !text.is_empty()));
        let id = value["id"].as_str();
        let id = id.filter(|id| self.ends_thinking && thinks && is_completion_id(id));
        id.map(str::to_owned)
    }

    /// The last line of an answer that ended so; `fault` says why one ended that gave no reason.
    fn last_line(&mut self, finish: Finish, fault: Fault) -> ChatLine {
        let rest = self.text.finish();
        let mut line = ChatLine {
            thinking: rest.thinking,
            content: rest.content,
            ..ChatLine::default()
        };
        let unread = self.text.unread().fault();
        match finish {
            Finish::Done(reason) => {
                self.add_calls(reason, &mut line);
                line.failed = line.failed.or(unread);
                if line.failed.is_none() {
                    line.done = Some((reason, self.usage.clone()));
                }
            }
            Finish::Filtered => {
                let engine = self.engine.clone();
                line.failed = Some(Fault::ContentFiltered { engine });
            }
            Finish::Aborted => line.failed = Some(fault),
            Finish::Open => {
                let unread = unread.filter(|_| fault == Fault::EndedEarly);
                line.failed = Some(unread.unwrap_or(fault));
            }
        }
        line
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
        if !std::mem::replace(&mut self.begun, true)
            && let Some(encoding) = compression_of(line)
        {
            let label = EngineLabel::OpenAi(self.engine.clone());
            return Err(label.compressed(200, encoding));
        }
        let part = self.lines.push(line);
        self.part(part)
    }

    fn finish(&mut self, fault: Fault) -> ChatLine {
        // The stream may end without the blank line of its last event.
        let fault = match (self.lines.end_event(), fault) {
            (EventPart::Nothing, fault) => fault,
            (part, Fault::EndedEarly) => match self.part(part) {
                Ok(_) => Fault::EndedEarly,
                Err(fault) => fault,
            },
            (_, fault) => fault,
        };
        self.last_line(self.finish, fault)
    }

    fn decoder(&self) -> LineDecoder {
        LineDecoder::of_events()
    }

    fn sends_headers_first(&self) -> bool {
        true
    }
}

/// Why an answer ended, of an event that has no choice: `stop` of `llama-server`, `done` of Ollama, and the events of
/// other APIs.
fn other_finish(event: &Value) -> Option<Finish> {
    let text = |path: &str| event.pointer(path).and_then(Value::as_str);
    let is_limited = text("/stop_type") == Some("limit") || event["stopped_limit"] == true;
    let reason = text("/delta/stop_reason").or_else(|| text("/done_reason"));
    match reason.and_then(Finish::read) {
        Some(finish) => Some(finish),
        None if event["stop"] == true && is_limited => Some(Finish::Done(DoneReason::Length)),
        None if event["stop"] == true || event["done"] == true => {
            Some(Finish::Done(DoneReason::Stop))
        }
        None => match text("/status").or(text("/response/status"))? {
            "completed" => Some(Finish::Done(DoneReason::Stop)),
            "incomplete" => Some(Finish::Done(DoneReason::Length)),
            "failed" | "cancelled" => Some(Finish::Aborted),
            _ => None,
        },
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

    /// How a stream ended.
    type Ending = Result<Option<(DoneReason, Usage)>, Fault>;

    /// Thinking, text, and how the answer ended.
    fn read(lines: &[&str]) -> (String, String, Ending) {
        let mut parser = parser();
        let (mut thinking, mut content) = (String::new(), String::new());
        let mut add = |line: ChatLine| {
            thinking += &line.thinking;
            content += &line.content;
            line.failed.map(Err).or(line.done.map(|done| Ok(Some(done))))
        };
        let end = lines.iter().find_map(|line| match parser.parse(line.as_bytes()) {
            Ok(line) => add(line.unwrap_or_default()),
            Err(fault) => add(parser.finish(fault)),
        });
        let end = end.or_else(|| add(parser.finish(Fault::EndedEarly)));
        (thinking, content, end.unwrap())
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
        assert_eq!(read(&[HELLO]).2, Err(Fault::EndedEarly));
    }

    #[test]
    fn an_error_in_the_middle_ends_the_answer_in_each_form() {
        for line in [
            r#"data: {"error":{"code":500,"message":"boom","type":"server_error"}}"#,
            r#"error: {"code":500,"message":"boom","type":"server_error"}"#,
            r#"error: {"error":{"message":"boom"}}"#,
            r#"{"error":{"message":"boom"}}"#,
            r#"data: {"error":"boom"}"#,
            r#"data: {"detail":"boom"}"#,
            r#"data: {"detail":[{"msg":"boom"}]}"#,
            r#"data: {"message":"boom"}"#,
            r#"data: {"text":"boom"}"#,
            r#"data: {"error":["boom"],"choices":[]}"#,
            r#"data: {"choices":[{"delta":{},"error":{"message":"boom"}}]}"#,
            "error: boom",
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
            r#"data: {"choices":[{"delta":{"content":[],"reasoning_content":null},"finish_reason":3}],"error":null}"#,
            r#"data: {"choices":[{"delta":{}}],"error":""}"#,
        ] {
            assert_eq!(
                parser().parse(line.as_bytes()),
                Ok(Some(ChatLine::default())),
                "{line}"
            );
        }
        for line in ["data: [1]", "data: {oops", "{oops"] {
            let fault = parser().parse(line.as_bytes()).unwrap_err();
            assert!(
                matches!(fault, Fault::BrokenStream { .. }),
                "{line} {fault}"
            );
        }
        let half = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe6b\"}}]}";
        assert_eq!(parser().parse(half).unwrap().unwrap().content, "a\u{fffd}b");
    }

    /// Regression: an event without data ended the answer.
    #[test]
    fn events_that_carry_nothing_are_skipped_and_a_broken_object_is_not() {
        for nothing in [
            "data:", "data: ", "data", "data: \"\"", "data: \"keep\"", "data: null", "data: hello", "data: 0",
            "event: ping", "event:", ":", "id: 1", "retry: 5", "event: ping\ndata: {\"message\":\"alive\"}",
        ] {
            let lines = [&[HELLO, ""], &nothing.lines().collect::<Vec<_>>()[..], &["", STOP, "", "data: [DONE]"]];
            let (_, content, end) = read(&lines.concat());
            assert_eq!((&*content, end.unwrap().unwrap().0), ("Hello", DoneReason::Stop), "{nothing}");
        }
        for broken in ["data: {\"choices\":[", "data: {\"a\":1", "data: {\"a\" 1}", "data: [{}]"] {
            let (_, content, end) = read(&[HELLO, "", broken, "", HELLO, "data: [DONE]"]);
            assert_eq!(content, "Hello", "{broken}");
            let fault = end.unwrap_err();
            assert!(matches!(fault, Fault::BrokenStream { .. }), "{broken} {fault}");
            assert!(fault.to_string().contains(&broken[6..]), "{fault}");
        }
    }

    /// Regression: an event named `error` was not looked at, and nothing said why the answer broke off.
    #[test]
    fn an_event_named_error_ends_the_answer_whatever_its_data() {
        for (data, words) in [
            ("data: {\"message\":\"boom\"}", "boom"),
            ("data: {\"text\":\"boom\"}", "boom"),
            ("data: {\"error\":{\"message\":\"boom\"}}", "boom"),
            ("data: \"boom\"", "\"boom\""),
            ("data: boom goes\ndata: it", "boom goes\nit"),
            ("data: {oops", "{oops"),
            ("data: {\"status\":7}", "{\"status\":7}"),
            ("data: {}", "it gives no reason"),
            ("data:", "it gives no reason"),
            ("id: 1", "it gives no reason"),
        ] {
            let lines = [&[HELLO, "", "event: error"], &data.lines().collect::<Vec<_>>()[..], &["", HELLO]];
            let (_, content, end) = read(&lines.concat());
            let reason = words.to_owned();
            assert_eq!((&*content, end), ("Hello", Err(Fault::ModelFailed { reason })), "{data}");
        }
    }

    #[test]
    fn numbers_and_parts_are_text_and_what_is_none_is_said() {
        let (thinking, content, end) = read(&[
            r#"data: {"choices":[{"delta":{"content":4,"reasoning_content":[{"text":"t"}]}}]}"#,
            r#"data: {"choices":[{"delta":{"content":["a",{"type":"video","url":"u"}]},"finish_reason":"stop"}]}"#,
            "data: [DONE]",
        ]);
        assert_eq!((&*thinking, &*content), ("t", "4a"));
        let fault = end.unwrap_err().to_string();
        assert!(fault.contains("video: {\"type\":\"video\""), "{fault}");
    }

    #[test]
    fn a_message_behind_its_pieces_is_not_said_twice() {
        let delta = |text: &str| format!(r#"data: {{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#);
        let message = |text: &str, more: &str| format!(r#"data: {{{more}"choices":[{{"message":{{"content":"{text}"}}}}]}}"#);
        for (events, text) in [
            (vec![delta("Hello."), message("Hello.", "")], "Hello."),
            (vec![delta("a"), delta("b"), message("ab", "")], "ab"),
            (vec![delta("a"), delta("b"), message("abc", "")], "abc"),
            (vec![delta(" a"), delta("b "), message("ab", "")], " ab "),
            (vec![delta("a"), message("a", r#""object":"chat.completion","#)], "a"),
            (vec![delta("a"), delta("b"), message("c", "")], "abc"),
            (vec![message("a", ""), message("a", ""), message("b", "")], "aab"),
            (vec![delta("\\ud83d"), message("😀!", r#""object":"chat.completion","#)], "😀!"),
        ] {
            let lines: Vec<&str> = events.iter().map(String::as_str).chain(["data: [DONE]"]).collect();
            let (_, content, end) = read(&lines);
            assert_eq!(content, text, "{lines:?}");
            assert!(end.is_ok());
        }
    }

    #[test]
    fn a_compressed_stream_is_named() {
        let fault = parser().parse(b"\x1f\x8b\x08\0\0").unwrap_err();
        assert!(fault.to_string().contains("gzip"), "{fault}");
        let fault = parser().parse(b"\x28\xb5\x2f\xfd\0").unwrap_err();
        assert!(fault.to_string().contains("zstd"), "{fault}");
    }

    /// Many tiny pieces and one huge event are read in a time that grows with their length and no faster.
    #[test]
    fn the_cost_of_a_stream_grows_with_its_length() {
        let time = |count: usize| {
            let mut parser = parser();
            let begin = std::time::Instant::now();
            for _ in 0..count {
                parser.parse(HELLO.as_bytes()).unwrap();
                parser.parse(b"").unwrap();
            }
            // One event in as many lines.
            parser.parse(b"data: {\"choices\":[").unwrap();
            for _ in 0..count {
                parser.parse(b"data:          ").unwrap();
            }
            parser.parse(b"data: {\"delta\":{\"content\":\"!\"}}]}").unwrap();
            begin.elapsed()
        };
        let (short, long) = (time(2_000), time(20_000));
        assert!(long < short * 50 + std::time::Duration::from_millis(200), "{short:?} {long:?}");
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in proptest::collection::vec(any::<u8>(), 0..60), prefix in 0..4_usize) {
            let line = [[&b""[..], b"data: ", b"data:{", b"error: "][prefix], &line[..]].concat();
            drop(parser().parse(&line));
        }
    }
}
