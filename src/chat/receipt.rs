//! What the model read for an answer, kept with the answer.

use super::{Id, Policy};
use serde::{Deserialize, Serialize};

/// The proof of a window: written when the prompt is sent, completed when the answer ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Receipt {
    /// The messages sent, oldest first, the prompt last.
    pub sent: Vec<Id>,
    /// The rule that chose them.
    pub policy: Policy,
    /// Tokens of the prompt.
    pub prompt_tokens: TokenCount,
    /// Tokens of the answer, thinking included, as Ollama counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<u64>,
    /// Tokens of context the model had loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_length: Option<u64>,
    /// Milliseconds to load the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_ms: Option<f64>,
    /// Milliseconds to read the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_ms: Option<f64>,
    /// Milliseconds to write the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_ms: Option<f64>,
}

/// A guess and the truth, side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenCount {
    /// Estimated before sending.
    pub estimated: u64,
    /// Counted by Ollama, where it said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
}
