//! Settings that came with an imported chat. Whoever wrote the file chose them, so they are off until the person who
//! imported it agrees.

use crate::{AnswerFormat, RecallSetting, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The settings of a chat that are off until the person agrees. They are kept with the chat, so that agreeing is
/// possible at any time.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
    Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WithheldSettings {
    /// The model's name.
    pub model: Option<String>,
    /// The engine that has it.
    pub engine: Option<String>,
    /// Recall from all chats.
    pub recall: Option<RecallSetting>,
    /// The number of the summary.
    pub summary: Option<u32>,
    /// Whether the model writes summaries by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub summarizes: bool,
    /// The place of the system prompt in the chat's list.
    pub system: Option<u32>,
    /// The form of answers.
    pub format: Option<AnswerFormat>,
    /// The tools.
    pub tools: Vec<Tool>,
    /// Ollama's parameters.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub parameters: Map<String, Value>,
    /// The fields of features of the page.
    #[serde(flatten)]
    pub others: Map<String, Value>,
    /// The fields that this version does not know, and a later one may act on.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub newer: Map<String, Value>,
}
