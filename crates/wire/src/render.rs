//! The prompt as the model reads it.

use sash_chat::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// The answer of `POST /api/v1/render`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rendered {
    /// The whole text after the model's chat template, its markers included.
    pub prompt: String,
    /// How many images go along; the text does not hold them.
    #[serde(skip_serializing_if = "is_none")]
    pub images: usize,
}

fn is_none(images: &usize) -> bool {
    *images == 0
}

impl FromJson for Rendered {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            prompt: value.text("prompt")?,
            images: value.number("images").unwrap_or_default(),
        })
    }
}

read_by_hand!(Rendered);
