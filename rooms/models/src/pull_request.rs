//! Pulls of models.

use crate::ModelFault;
use sash_wire::{Fault, Upstream, read_room_fault};
use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/pull`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequest {
    /// The name of the model.
    pub model: String,
    /// Whether to pull into Ollama or the demo.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine to pull into, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// The progress of one layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerProgress {
    /// The digest, `sha256:…`.
    pub digest: String,
    /// The size in bytes.
    pub total: u64,
    /// The bytes downloaded.
    pub completed: u64,
}

/// One line of the response of `POST /api/v1/pull`. The last one is always `done` or `error`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PullFrame {
    /// Ollama's status text, for example "pulling manifest".
    Status {
        /// The text.
        text: String,
    },
    /// Progress of a layer. Ollama's last line for a layer often stays below its total, so the
    /// server sends a full count when the next layer or another status begins.
    Layer(LayerProgress),
    /// The model is installed.
    Done,
    /// The pull failed.
    Error {
        /// The reason.
        #[serde(deserialize_with = "read_room_fault::<ModelFault, _>")]
        error: Fault,
    },
}
