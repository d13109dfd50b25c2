//! The prompt in the form that the model reads.

use serde::{Deserialize, Serialize};

/// The response of `POST /api/v1/render`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// The text rendered by the model's chat template, including its special tokens.
    pub prompt: String,
    /// The number of images sent with the text, which does not contain them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub images: usize,
}

fn is_zero(images: &usize) -> bool {
    *images == 0
}
