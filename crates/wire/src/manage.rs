//! Requests about one installed model, and its details.

use super::Upstream;
use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/show`, `/unload` and `/delete`: the name of a model, never an
/// address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelRequest {
    /// The name of the model.
    pub model: String,
    /// Whether Ollama or the demo has it.
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// The request of `POST /api/v1/load`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadRequest {
    /// The name of the model.
    pub model: String,
    /// Whether Ollama or the demo has it.
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The context length to allocate, in tokens; the engine decides if absent. It must be the one
    /// of the prompts that follow, because another one makes Ollama reload the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num_ctx: Option<u64>,
}

/// The response of `POST /api/v1/show`: the texts of a model. An empty one is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelDetails {
    /// The chat template.
    pub template: String,
    /// The system prompt of the Modelfile.
    pub system: String,
    /// The parameters, one `name value` a line.
    pub parameters: String,
    /// The licence.
    pub license: String,
    /// The Modelfile.
    pub modelfile: String,
}
