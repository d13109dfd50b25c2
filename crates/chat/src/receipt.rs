//! What the model read for an answer, kept with the answer.

use super::{Id, Policy};
use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// The proof of a window: written when the prompt is sent, completed when the answer ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Receipt {
    /// The messages sent, oldest first, the prompt last.
    pub sent: Vec<Id>,
    /// The rule that chose them.
    pub policy: Policy,
    /// The one among them that went along because the model's template wants a question first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_before: Option<Id>,
    /// The model that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Digest of that model in the engine's list: a name can be given to another model later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The system prompt that went first: its place in the chat's [`Head::systems`](super::Head::systems).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<u32>,
    /// Ollama's options that went with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Value>,
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
    /// Milliseconds from the first word of thinking to the first of the answer, as the page saw them come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_ms: Option<u64>,
    /// Milliseconds to write the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_ms: Option<f64>,
}

/// A guess and the truth, side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TokenCount {
    /// Estimated before sending.
    pub estimated: u64,
    /// Counted by Ollama, where it said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
}

impl FromJson for Receipt {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            sent: value.items("sent"),
            policy: value.item("policy").unwrap_or_default(),
            question_before: value.item("question_before"),
            model: value.text("model"),
            digest: value.text("digest"),
            system: value.number("system"),
            options: value.get("options").filter(|o| o.is_object()).cloned(),
            prompt_tokens: value.item("prompt_tokens").unwrap_or_default(),
            answer_tokens: value.number("answer_tokens"),
            context_length: value.number("context_length"),
            load_ms: value.float("load_ms"),
            prompt_ms: value.float("prompt_ms"),
            thinking_ms: value.number("thinking_ms"),
            answer_ms: value.float("answer_ms"),
        })
    }
}

impl FromJson for TokenCount {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            estimated: value.number("estimated").unwrap_or_default(),
            counted: value.number("counted"),
        })
    }
}

read_by_hand!(Receipt, TokenCount);
