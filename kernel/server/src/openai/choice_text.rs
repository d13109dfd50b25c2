//! Reads the text of an event or a whole reply, in every form in which servers of this API send it.

use super::said_text::SaidText;
use crate::engine::UnreadParts;
use crate::engine::parts::MessageText;
use serde_json::Value;

/// A message that begins with the one piece before it repeats that, unless the piece is as short as two that are equal by
/// chance.
const REPEATED_BYTES: usize = 4;

/// Whether an event of this type has text of the answer. Those of the responses API also have the arguments of calls, and
/// sound.
fn is_text(kind: &str) -> bool {
    let texts = ["text", "refusal", "transcript"];
    !kind.starts_with("response.") || texts.iter().any(|text| kind.contains(text))
}

/// The text of an answer so far.
#[derive(Debug, Default)]
pub struct AnswerText {
    thinking: SaidText,
    content: SaidText,
    /// Whether text came as pieces and not as messages.
    has_deltas: bool,
    unread: UnreadParts,
}

impl AnswerText {
    /// Adds the text of a choice. `is_whole` says that a message of it is not a piece: the reply is whole, or it ends.
    pub fn add_choice(
        &mut self,
        choice: &Value,
        mark: Option<char>,
        is_whole: bool,
    ) -> MessageText {
        let mut delta = MessageText::read(&choice["delta"], &mut self.unread);
        let message = MessageText::read(&choice["message"], &mut self.unread);
        // The completions API has no message. Beside one, the text is the same again.
        let is_text_again = choice["text"].as_str() == Some(&delta.thinking);
        if delta.content.is_empty() && message.content.is_empty() && !is_text_again {
            delta.add_content(&choice["text"], &mut self.unread);
        }
        let is_twice = message == delta;
        let mut news = self.add_delta(&delta, mark);
        if !is_twice {
            let whole = self.add_message(&message, mark, is_whole);
            news.thinking += &whole.thinking;
            news.content += &whole.content;
        }
        news
    }

    /// Adds the text of an event that has no choice: of other APIs, as gateways pass it on.
    pub fn add_other(&mut self, event: &Value, mark: Option<char>, is_whole: bool) -> MessageText {
        let unread = &mut self.unread;
        let kind = event["type"].as_str().unwrap_or_default();
        let is_thinking = kind.contains("reasoning") || kind.contains("thinking");
        let mut piece = MessageText::default();
        match &event["delta"] {
            Value::String(text) if is_thinking => piece.thinking += text,
            Value::String(text) if !is_text(kind) && !text.is_empty() => {
                unread.add(kind, &event["delta"]);
            }
            delta => piece = MessageText::read(delta, unread),
        }
        if let Some(json) = event.pointer("/delta/partial_json") {
            unread.add(kind, json);
        }
        for key in ["content", "response"] {
            if event[key].is_string() || event[key].is_array() {
                piece.add_content(&event[key], unread);
            }
        }
        let mut whole = MessageText::default();
        // A message that is a text says how far the engine is.
        if !event["message"].is_string() {
            whole = MessageText::read(&event["message"], unread);
        }
        whole.add_content(&event["output_text"], unread);
        let output = match event.pointer("/response/output") {
            Some(output) => output,
            None => &event["output"],
        };
        let mut outputs = MessageText::default();
        outputs.add_content(output, unread);
        whole.thinking += &outputs.thinking;
        // The convenience field of a client library has the text of the output again.
        if outputs.content != whole.content {
            whole.content += &outputs.content;
        }
        // An event that ends a text repeats it.
        let ends_text = kind.ends_with(".done");
        if ends_text {
            whole.add_content(&event["text"], unread);
        }
        let mut news = self.add_delta(&piece, mark);
        self.has_deltas |= ends_text;
        let whole = match is_thinking && ends_text {
            true => MessageText::default(),
            false => {
                let is_whole = is_whole || ends_text || kind.starts_with("response.");
                self.add_message(&whole, mark, is_whole)
            }
        };
        news.thinking += &whole.thinking;
        news.content += &whole.content;
        news
    }

    fn add_delta(&mut self, delta: &MessageText, mark: Option<char>) -> MessageText {
        self.has_deltas |= *delta != MessageText::default();
        MessageText {
            thinking: self.thinking.push(&delta.thinking, mark),
            content: self.content.push(&delta.content, mark),
        }
    }

    /// Adds a message. Some servers send one in the place of each piece, others one with the whole text behind the pieces.
    fn add_message(
        &mut self,
        message: &MessageText,
        mark: Option<char>,
        is_whole: bool,
    ) -> MessageText {
        let has_deltas = self.has_deltas;
        let add = |said: &mut SaidText, text: &str| {
            let is_repeated = match has_deltas {
                true => is_whole || said.pieces() > 1 || said.len() >= REPEATED_BYTES,
                false => is_whole && said.pieces() > 1,
            };
            match is_repeated && !text.is_empty() {
                true => said.push_whole(text, mark, has_deltas && is_whole),
                false => said.push(text, mark),
            }
        };
        MessageText {
            thinking: add(&mut self.thinking, &message.thinking),
            content: add(&mut self.content, &message.content),
        }
    }

    /// What could not be read so far.
    #[must_use]
    pub fn unread(&self) -> &UnreadParts {
        &self.unread
    }

    /// The halves of characters that still wait.
    pub fn finish(&mut self) -> MessageText {
        MessageText {
            thinking: self.thinking.finish(),
            content: self.content.finish(),
        }
    }
}
