//! A message, as it is kept for ever.

use super::{Id, Receipt};
use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions.
    System,
    /// The person. Any role that is not one of the four is read as this.
    #[default]
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

impl Role {
    /// Reads a role as Ollama does, without regard to case; any unknown one is the person's.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let is = |role: Role| text.eq_ignore_ascii_case(role.as_str());
        let others = [Role::System, Role::Assistant, Role::Tool];
        others
            .into_iter()
            .find(|role| is(*role))
            .unwrap_or_default()
    }

    /// The word on the wire.
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

impl FromJson for Role {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(Role::parse)
    }
}

/// How a message came to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is whole.
    #[default]
    Complete,
    /// It ran into a limit on its length.
    CutOff,
    /// The person stopped it.
    Stopped,
    /// The page was closed, or the stream ended without saying so.
    Interrupted,
    /// An error ended it.
    #[serde(untagged)]
    Failed(Failure),
}

/// The error that ended a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What happened, as it is shown.
    #[serde(rename = "failed")]
    pub sentence: String,
    /// The code of the fault, by which the page offers a way out; older records and other programs' exports have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// One message. It never changes once it is written: an edit is a new message with the same parent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Its name.
    pub id: Id,
    /// The message it follows; none for the first of a chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Id>,
    /// Its place in the order of writing within the chat, from 1. Order never depends on a clock.
    pub seq: u32,
    /// Who speaks.
    pub role: Role,
    /// What is said, white space included.
    pub content: String,
    /// What the model thought before; never sent again.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// The tools an answer calls, as Ollama wrote them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Value>,
    /// Of the result of a tool: the tool's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was written, in milliseconds since 1970.
    pub created: u64,
    /// How it ended.
    #[serde(skip_serializing_if = "Outcome::is_complete")]
    pub outcome: Outcome,
    /// What the model read for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

impl Outcome {
    /// An error without a code.
    #[must_use]
    pub fn failed(sentence: impl Into<String>) -> Self {
        Self::Failed(Failure {
            sentence: sentence.into(),
            code: None,
        })
    }

    fn is_complete(&self) -> bool {
        *self == Outcome::Complete
    }
}

impl Message {
    /// A message of that name and place with nothing in it yet.
    #[must_use]
    pub fn new(id: Id, parent: Option<Id>, seq: u32, role: Role, created: u64) -> Self {
        Self {
            id,
            parent,
            seq,
            role,
            content: String::new(),
            thinking: String::new(),
            tool_calls: None,
            tool_name: None,
            model: None,
            created,
            outcome: Outcome::Complete,
            receipt: None,
        }
    }

    /// Whether it may go to a model at all: one without text never does, and so neither does an answer that
    /// was refused. An answer that broke off goes as far as it came, whatever ended it. A call of tools has no
    /// text of its own.
    #[must_use]
    pub fn is_sendable(&self) -> bool {
        let is_blank = self.content.trim().is_empty();
        let failed = self.role == Role::Assistant && matches!(self.outcome, Outcome::Failed(_));
        !is_blank || self.tool_calls.is_some() && !failed
    }

    /// Its text as it goes to a model. Behind their thinking many models write blank lines, which were never
    /// part of an answer that they learnt from.
    #[must_use]
    pub fn sent_text(&self) -> &str {
        let mut text = self.content.as_str();
        if self.role != Role::Assistant || self.thinking.is_empty() {
            return text;
        }
        while let Some((line, rest)) = text.split_once('\n') {
            if !line.trim().is_empty() {
                break;
            }
            text = rest;
        }
        text
    }
}

impl FromJson for Outcome {
    fn from_json(value: &Value) -> Option<Self> {
        match value.as_str() {
            Some("complete") => Some(Outcome::Complete),
            Some("cut_off") => Some(Outcome::CutOff),
            Some("stopped") => Some(Outcome::Stopped),
            Some("interrupted") => Some(Outcome::Interrupted),
            _ => Some(Outcome::Failed(Failure {
                sentence: value.text("failed")?,
                code: value.text("code"),
            })),
        }
    }
}

impl FromJson for Message {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            id: value.item("id")?,
            parent: value.item("parent"),
            seq: value.number("seq")?,
            role: value.item("role")?,
            content: value.text("content")?,
            thinking: value.text("thinking").unwrap_or_default(),
            tool_calls: value.get("tool_calls").filter(|c| c.is_array()).cloned(),
            tool_name: value.text("tool_name"),
            model: value.text("model"),
            created: value.number("created").unwrap_or_default(),
            outcome: match value.get("outcome") {
                Some(outcome) => Outcome::from_json(outcome)?,
                None => Outcome::Complete,
            },
            receipt: value.item("receipt"),
        })
    }
}

read_by_hand!(Role, Outcome, Message);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_message_keeps_the_code_of_its_fault_and_an_older_one_has_none() {
        let sentence = "This model wants a question first.";
        for (outcome, kept) in [
            (
                Outcome::failed(sentence),
                r#"{"failed":"This model wants a question first."}"#,
            ),
            (
                Outcome::Failed(Failure {
                    sentence: sentence.to_owned(),
                    code: Some("question_first".to_owned()),
                }),
                r#"{"failed":"This model wants a question first.","code":"question_first"}"#,
            ),
            (Outcome::CutOff, r#""cut_off""#),
        ] {
            assert_eq!(serde_json::to_string(&outcome).unwrap(), kept);
            assert_eq!(serde_json::from_str::<Outcome>(kept).unwrap(), outcome);
        }
    }
}
