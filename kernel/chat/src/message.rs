//! A message as the log stores it.

use super::{Id, Image, ModelId, RecalledBlock, Receipt};
use crate::tolerant;
use sash_text::is_blank;
use sash_words::t;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};
use std::borrow::Cow;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", from = "String")]
pub enum Role {
    /// The system prompt.
    System,
    /// The person. An unknown role is read as this one.
    #[default]
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

impl Role {
    /// Parses a role as Ollama does, ignoring case; an unknown role is [`Role::User`].
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let is = |role: Role| text.eq_ignore_ascii_case(role.as_str());
        let others = [Role::System, Role::Assistant, Role::Tool];
        others
            .into_iter()
            .find(|role| is(*role))
            .unwrap_or_default()
    }

    /// The role's name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }
}

impl From<String> for Role {
    fn from(text: String) -> Self {
        Role::parse(&text)
    }
}

/// How a message ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The message is complete.
    #[default]
    Complete,
    /// The answer reached a limit on its length.
    CutOff,
    /// The person stopped the answer.
    Stopped,
    /// The page was closed, or the stream ended without a final frame.
    Interrupted,
    /// An error ended the answer.
    #[serde(untagged)]
    Failed(Failure),
}

/// The error that ended a message.
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The error message, as the page shows it.
    #[serde(rename = "failed")]
    pub sentence: String,
    /// The fault's code, from which the page derives the action it offers. Older records and exports of other
    /// programs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub code: Option<String>,
}

/// One message. It never changes once it is written: an edit is a new message with the same parent.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The message's id.
    pub id: Id,
    /// The message before this one; `None` for the first of a chat.
    pub parent: Option<Id>,
    /// Number of the message in the order of writing within the chat, from 1. The order never depends on a
    /// clock.
    pub seq: u32,
    /// Who wrote the message.
    pub role: Role,
    /// The text, white space included.
    pub content: String,
    /// The images of a question, or of an answer of another program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub images: Vec<Image>,
    /// The earlier messages that go with a question.
    pub recalled: Option<RecalledBlock>,
    /// What the model thought before the answer; it is never sent again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub thinking: String,
    /// The tool calls of an answer, as Ollama wrote them.
    #[serde_with(skip_apply)]
    #[serde(
        default,
        deserialize_with = "tolerant::array",
        skip_serializing_if = "Option::is_none"
    )]
    pub tool_calls: Option<Value>,
    /// How many more tools the answer called than one answer may ([`crate::MAX_CALLS`]); those calls are not kept.
    #[serde(default, skip_serializing_if = "tolerant::is_zero")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub calls_left_out: u32,
    /// For a tool's result: the tool's name.
    pub tool_name: Option<String>,
    /// For a tool's result: the id of its call, where the engine gave one.
    pub tool_call_id: Option<String>,
    /// The model that wrote the answer.
    pub model: Option<String>,
    /// For an answer whose text the person wrote: the answer that they changed, which stays as it is.
    pub edited: Option<Id>,
    /// When the message was written, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub created: u64,
    /// How the message ended.
    #[serde(
        default,
        deserialize_with = "outcome",
        skip_serializing_if = "Outcome::is_complete"
    )]
    pub outcome: Outcome,
    /// What the model read for this answer.
    pub receipt: Option<Receipt>,
}

impl Outcome {
    /// A failure without a code.
    #[must_use]
    pub fn failed(sentence: impl Into<String>) -> Self {
        Self::Failed(Failure {
            sentence: sentence.into(),
            code: None,
        })
    }

    /// The outcome of a record that says it in a form that this version does not know. It must not pass for complete.
    #[must_use]
    pub fn unknown() -> Self {
        Self::failed(t!(chat.unknown_outcome))
    }

    fn is_complete(&self) -> bool {
        *self == Outcome::Complete
    }
}

/// Reads how a message ended. What is not known is not complete; `null` is as if nothing were written.
///
/// # Errors
/// The errors of `source`.
fn outcome<'de, D: Deserializer<'de>>(source: D) -> Result<Outcome, D::Error> {
    Ok(match Value::deserialize(source)? {
        Value::Null => Outcome::default(),
        written => serde_json::from_value(written).unwrap_or_else(|_| Outcome::unknown()),
    })
}

impl Message {
    /// A message without text.
    #[must_use]
    pub fn new(id: Id, parent: Option<Id>, seq: u32, role: Role, created: u64) -> Self {
        Self {
            id,
            parent,
            seq,
            role,
            content: String::new(),
            images: Vec::new(),
            recalled: None,
            thinking: String::new(),
            tool_calls: None,
            calls_left_out: 0,
            tool_name: None,
            tool_call_id: None,
            model: None,
            edited: None,
            created,
            outcome: Outcome::Complete,
            receipt: None,
        }
    }

    /// The images that go to a model with the message: those of a question. Those of an answer or of a tool, which
    /// imported chats have, are shown and not sent, because engines take images of questions alone.
    #[must_use]
    pub fn sent_images(&self) -> &[Image] {
        match self.role {
            Role::User => &self.images,
            Role::System | Role::Assistant | Role::Tool => &[],
        }
    }

    /// The name of the model that answered: as the engine named it, else as it was asked for.
    #[must_use]
    pub fn answered_by(&self) -> Option<&str> {
        let receipt = self.receipt.as_ref();
        let named = receipt.and_then(|receipt| receipt.answered_by.as_deref());
        named.or(self.model.as_deref())
    }

    /// The model that wrote the answer, with its engine.
    #[must_use]
    pub fn model_id(&self) -> Option<ModelId> {
        let receipt = self.receipt.as_ref();
        let engine = receipt.and_then(|receipt| receipt.engine.as_deref());
        ModelId::from_fields(engine, self.model.as_deref())
    }

    /// Whether the message is a call of tools or the result of one. It belongs to its question, goes with it and is not
    /// counted.
    #[must_use]
    pub fn is_in_tool_round(&self) -> bool {
        self.role == Role::Tool || self.role == Role::Assistant && self.tool_calls.is_some()
    }

    /// Whether the message may be sent to a model. One without text or tool calls never is, and so a refused
    /// answer never is. An answer that was cut short is sent as far as it got.
    #[must_use]
    pub fn is_sendable(&self) -> bool {
        let failed = self.role == Role::Assistant && matches!(self.outcome, Outcome::Failed(_));
        !is_blank(&self.content) || self.tool_calls.is_some() && !failed
    }

    /// The text as it is sent to a model, `recalled` messages included or not. The blank lines that many models
    /// write after their thinking are removed: the answers they were trained on do not begin with them.
    #[must_use]
    pub fn sent_text(&self, recalled: bool) -> Cow<'_, str> {
        let mut text = self.content.as_str();
        if self.role != Role::Assistant || self.thinking.is_empty() {
            let block = self.recalled.as_ref().filter(|_| recalled);
            return RecalledBlock::before(block, text);
        }
        while let Some((line, rest)) = text.split_once('\n') {
            if !line.trim().is_empty() {
                break;
            }
            text = rest;
        }
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let message = Message {
            content: "Yes.".into(),
            thinking: "Hm.".into(),
            tool_calls: Some(json!([{"function": {"name": "f"}}])),
            outcome: Outcome::failed("no room"),
            receipt: Some(Receipt::default()),
            ..Message::new(Id(2), Some(Id(1)), 7, Role::Assistant, 5)
        };
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(
            text,
            r#"{"id":"0000000000000002","parent":"0000000000000001","seq":7,"role":"assistant","content":"Yes.","thinking":"Hm.","tool_calls":[{"function":{"name":"f"}}],"created":5,"outcome":{"failed":"no room"},"receipt":{"sent":[],"policy":{"messages":3},"prompt_tokens":{"estimated":0}}}"#
        );
        assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), message);
    }

    #[test]
    fn a_wrong_field_costs_itself_and_not_the_message() {
        let text = r#"{"id":"0000000000000002","parent":7,"seq":7,"role":"oracle","content":"Yes.","thinking":null,"tool_calls":{},"tool_name":[],"created":"now","outcome":"exploded","receipt":{"sent":["0000000000000001",3,"x"],"policy":"psychic","options":[1],"prompt_tokens":null,"load_ms":12,"answer_tokens":-1},"later":true}"#;
        let expected = Message {
            content: "Yes.".into(),
            receipt: Some(Receipt {
                sent: vec![Id(1)],
                load_ms: Some(12.0),
                ..Receipt::default()
            }),
            outcome: Outcome::unknown(),
            ..Message::new(Id(2), None, 7, Role::User, 0)
        };
        assert_eq!(serde_json::from_str::<Message>(text).unwrap(), expected);
    }

    #[test]
    fn an_outcome_that_is_not_known_is_not_complete() {
        for (written, outcome) in [
            (r#""paused""#, Outcome::unknown()),
            (r#"{"paused":{"until":5}}"#, Outcome::unknown()),
            ("7", Outcome::unknown()),
            ("null", Outcome::Complete),
            (r#""complete""#, Outcome::Complete),
            (r#""stopped""#, Outcome::Stopped),
            (
                r#"{"failed":"no room","later":1}"#,
                Outcome::failed("no room"),
            ),
        ] {
            let text = format!(
                r#"{{"id":"0000000000000002","parent":null,"seq":7,"role":"assistant","content":"Yes.","outcome":{written}}}"#
            );
            let message: Message = serde_json::from_str(&text).unwrap();
            assert_eq!(message.outcome, outcome, "{written}");
        }
    }

    #[test]
    fn without_its_name_its_place_or_its_words_it_is_no_message() {
        for text in [
            r#"{"seq":7,"role":"user","content":"a"}"#,
            r#"{"id":"0000000000000002","role":"user","content":"a"}"#,
            r#"{"id":"0000000000000002","seq":7,"role":"user"}"#,
            r#"{"id":"2","seq":7,"role":"user","content":"a"}"#,
            r#"{"id":"0000000000000002","seq":-7,"role":"user","content":"a"}"#,
            "[]",
        ] {
            assert!(serde_json::from_str::<Message>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn images_are_kept_and_a_wrong_one_costs_itself() {
        let image = |digit: &str| {
            let hash = digit.repeat(64);
            format!(r#"{{"hash":"{hash}","type":"image/jpeg","size":9,"width":3,"height":2}}"#)
        };
        let (a, b) = (image("a"), image("b"));
        let text = |images: &str| {
            format!(
                r#"{{"id":"0000000000000002","seq":7,"role":"user","content":"Look","images":{images},"created":5}}"#
            )
        };
        let whole = text(&format!("[{a},{b}]"));
        let message: Message = serde_json::from_str(&whole).unwrap();
        assert_eq!(message.images.len(), 2);
        assert_eq!(serde_json::to_string(&message).unwrap(), whole);
        for (images, left) in [
            (format!("[{a},7,{{\"hash\":\"x\"}},{b}]"), 2),
            (format!("[{}]", a.replace("jpeg", "svg+xml")), 0),
            ("{}".to_owned(), 0),
            ("null".to_owned(), 0),
        ] {
            let message: Message = serde_json::from_str(&text(&images)).unwrap();
            assert_eq!(message.images.len(), left, "{images}");
        }
    }

    #[test]
    fn a_failed_message_keeps_the_code_of_its_fault_and_an_older_one_has_none() {
        let sentence = "This model needs a question first.";
        for (outcome, kept) in [
            (
                Outcome::failed(sentence),
                r#"{"failed":"This model needs a question first."}"#,
            ),
            (
                Outcome::Failed(Failure {
                    sentence: sentence.to_owned(),
                    code: Some("question_first".to_owned()),
                }),
                r#"{"failed":"This model needs a question first.","code":"question_first"}"#,
            ),
            (Outcome::CutOff, r#""cut_off""#),
        ] {
            assert_eq!(serde_json::to_string(&outcome).unwrap(), kept);
            assert_eq!(serde_json::from_str::<Outcome>(kept).unwrap(), outcome);
        }
    }
}
