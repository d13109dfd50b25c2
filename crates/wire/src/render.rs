//! The prompt as the model reads it.

use serde::{Deserialize, Serialize};

/// The answer of `POST /api/v1/render`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// The whole text after the model's chat template, its markers included.
    pub prompt: String,
    /// How many images go along; the text does not hold them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub images: usize,
}

fn is_zero(images: &usize) -> bool {
    *images == 0
}
