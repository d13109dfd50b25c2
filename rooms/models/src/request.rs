//! Requests about one model, and the progress of a pull.

use crate::ModelFault;
use sash_wire::{Fault, Upstream, invalid_option, read_room_fault};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The request of `POST /api/v1/show`, `/unload`, `/delete` and `/pull`: the name of a model, never an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The name of the model.
    pub model: String,
    /// Whether Ollama or the demo has it, or is to have it.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// The request of `POST /api/v1/load`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The model.
    #[serde(flatten)]
    pub of: ModelRequest,
    /// The runner options ([`RUNNER_OPTIONS`](sash_wire::RUNNER_OPTIONS)) of the prompts that follow,
    /// because others would make Ollama reload the model.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
}

impl LoadRequest {
    /// Checks the options as those of a prompt are checked.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] for the first that cannot be used.
    pub fn check(&self) -> Result<(), Fault> {
        let wrong = invalid_option(&self.options).map(|(field, must)| Fault::InvalidField {
            field,
            reason: must.to_owned(),
        });
        wrong.map_or(Ok(()), Err)
    }
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
