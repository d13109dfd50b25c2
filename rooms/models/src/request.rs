//! Requests about one model: its details, loading, deleting, pulling.

use sash_wire::{Fault, Upstream, invalid_option};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The request of `POST /api/v1/show`, `/unload` and `/delete`: the name of a model, never an
/// address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The name of the model.
    pub model: String,
    /// Whether Ollama or the demo has it.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// The request of `POST /api/v1/load`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The name of the model.
    pub model: String,
    /// Whether Ollama or the demo has it.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
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
