//! The request for vectors of texts, by which the page finds messages that mean what a prompt means.

use sash_wire::{DraftMark, Upstream};
use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/embed`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedRequest {
    /// The name of the embedding model.
    pub model: String,
    /// Whether Ollama or the demo has it.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Whether a text is one that the person has not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftMark>,
    /// The texts. Of one that is longer than the model's context, the model reads the beginning.
    pub texts: Vec<String>,
}

impl EmbedRequest {
    /// The most texts of a request.
    pub const MAX_TEXTS: usize = 32;
    /// The most bytes of one text.
    pub const MAX_TEXT_BYTES: usize = 16 * 1024;
}
