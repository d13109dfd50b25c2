//! Requests about one model: its details, loading, deleting, pulling.

mod fault;
mod pull;

pub use fault::ModelFault;
pub use pull::{LayerProgress, PullFrame, PullRequest};

use super::{Fault, Upstream};
use crate::request::check_option;
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
    /// The runner options ([`RUNNER_OPTIONS`](crate::RUNNER_OPTIONS)) of the prompts that follow,
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
        let mut options = self.options.iter().filter(|(_, value)| !value.is_null());
        let wrong = options.find_map(|(name, value)| {
            let reason = check_option(name, value)?.to_owned();
            let field = format!("options.{name}");
            Some(Fault::InvalidField { field, reason })
        });
        wrong.map_or(Ok(()), Err)
    }
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
