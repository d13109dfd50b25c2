//! A summary of messages that left the window.

use super::Id;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, apply};

/// A summary of consecutive messages of a branch. It never changes: an edited one is a new version.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its number in the chat, by which receipts name it.
    pub number: u32,
    /// The text.
    pub text: String,
    /// The first message that it covers.
    pub from: Id,
    /// The last message that it covers. It goes with requests on branches that hold this message.
    pub through: Id,
    /// How many messages it covers.
    pub count: u32,
    /// The model that wrote it; `None` if the person did.
    pub model: Option<String>,
    /// Tokens that the model read for it, as the engine counted them.
    pub prompt_tokens: Option<u64>,
    /// Tokens that the model wrote.
    pub answer_tokens: Option<u64>,
    /// When it was written, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub created: u64,
    /// Whether the person changed the model's words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub edited: bool,
    /// Whether a limit of length ended it, so that it may not say all of what it covers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub cut_off: bool,
}
