//! Parses the server-sent events of a streamed answer, and the answer of a server that does not stream.

mod finish;
mod usage;

use super::choice_text::AnswerText;
use super::event_lines::{EventLines, EventName, EventPart};
use super::partial_calls::PartialCalls;
use super::refusal::{OpenAiRequestContext, error_of, error_of_event, from_error};
use crate::engine::error_words::is_empty;
use crate::engine::http::compression_of;
use crate::engine::parts::MessageText;
use crate::engine::reader::{MarkedValue, ReplyError, ReplyReader, is_beginning, item_of_list};
use crate::engine::{ChatLine, ChatParser, EngineLabel, excerpt};
use finish::{Finish, other_finish};
use sash_wire::{DoneReason, Fault, LineDecoder, Usage, is_completion_id};
use serde_json::Value;
use usage::{read_usage, reading};

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
    /// Whether an event came, so that the answer is no document.
    has_events: bool,
    /// Whether all that came is one whole reply without a reason; `None` before there is a choice.
    is_one_reply: Option<bool>,
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
            has_events: false,
            is_one_reply: None,
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
        tracing::info!(%error, "an engine sent an event that cannot be read");
        let reason = excerpt(&self.reader.text(bytes));
        Fault::BrokenStream { reason }
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
            EventPart::Object(data, name) => {
                self.has_events = true;
                self.object(data, name, Some(false))
            }
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
        let item = item_of_list(data).unwrap_or(data);
        if item.is_empty() && name != EventName::Error {
            return Ok(None);
        }
        match (self.reader.piece(item), held) {
            (Ok(value), _) => self.event(&value, name),
            (Err(_), _) if item.is_empty() => Err(self.error(&Value::Null)),
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
            _ => error_of_event(&value, name == EventName::Named).or(of_choice),
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
        let ours = listed
            .enumerate()
            .filter(|listed| Some(index(*listed)) == self.choice);
        ours.map(|(_, choice)| choice).collect()
    }

    fn line(&mut self, marked: &MarkedValue, value: &Value, choices: &[&Value]) -> ChatLine {
        read_usage(value, &self.model, &mut self.usage);
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
            self.calls.add_delta(&choice["delta"], mark);
            self.calls.add_message(&choice["message"], mark);
        }
        if choices.is_empty() {
            reason = other_finish(value);
            text = self.text.add_other(&marked.value, mark, reason.is_some());
            self.calls.add_message(&marked.value["message"], mark);
        } else {
            let is_first = self.is_one_reply.is_none();
            let mut choices = choices.iter();
            let is_whole = is_reply && choices.all(|choice| self.is_whole(choice));
            self.is_one_reply = Some(is_first && is_whole);
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

    /// Whether a choice of a reply without a reason may be all of the answer. Some servers send the message so far with
    /// each piece.
    fn is_whole(&self, choice: &Value) -> bool {
        let is_open = self.has_events && choice.get("finish_reason").is_some();
        choice["message"].is_object() && !choice["delta"].is_object() && !is_open
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
        let mut deltas = choices
            .iter()
            .map(|choice| &choice["delta"]["reasoning_content"]);
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
        let unread = self.text.unread().fault(!self.calls.is_empty());
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
        let is_whole = self.is_one_reply == Some(true) && fault == Fault::EndedEarly;
        let finish = match self.finish {
            Finish::Open if is_whole => Finish::Done(DoneReason::Stop),
            finish => finish,
        };
        self.last_line(finish, fault)
    }

    fn decoder(&self) -> LineDecoder {
        LineDecoder::of_events()
    }

    fn sends_headers_first(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
