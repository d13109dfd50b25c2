//! A message, as it is kept for ever.

use super::{Id, Receipt};
use serde::{Deserialize, Deserializer, Serialize};

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

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Role::parse(&String::deserialize(deserializer)?))
    }
}

/// How a message came to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// An error ended it; the sentence says which.
    Failed(String),
}

/// One message. It never changes once it is written: an edit is a new message with the same parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Its name.
    pub id: Id,
    /// The message it follows; none for the first of a chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Id>,
    /// Its place in the order of writing within the chat, from 1. Order never depends on a clock.
    pub seq: u32,
    /// Who speaks.
    pub role: Role,
    /// What is said, white space included.
    pub content: String,
    /// What the model thought before; never sent again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was written, in milliseconds since 1970.
    #[serde(default)]
    pub created: u64,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Outcome::is_complete")]
    pub outcome: Outcome,
    /// What the model read for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

impl Outcome {
    fn is_complete(&self) -> bool {
        *self == Outcome::Complete
    }
}

impl Message {
    /// Whether it may go to a model at all: a failed or empty answer is never sent.
    #[must_use]
    pub fn is_sendable(&self) -> bool {
        let empty = self.content.trim().is_empty();
        let failed = matches!(self.outcome, Outcome::Failed(_));
        !(empty || failed && self.role == Role::Assistant)
    }
}
