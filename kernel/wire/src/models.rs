//! Models, and the state of an engine.

use super::{EngineInfo, Fault};
use sash_chat::{ModelId, Think};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::collections::BTreeMap;

/// Whether the configured engines answer, or the demo in their place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Upstream {
    /// The engines that the server is configured for; the one that a request names, else the first.
    #[default]
    #[serde(rename = "ollama")]
    Configured,
    /// The built-in demo.
    Demo,
}

/// The request of `POST /api/v1/models`, `POST /api/v1/installed` and `POST /api/v1/state`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpstreamRequest {
    /// Whether to ask the demo. `sash --demo` always answers with the demo.
    pub upstream: Upstream,
    /// The engine to ask, by its name in the server's configuration, so that the browser can never choose an
    /// address; the first one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// An installed model.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The full name, tag included.
    pub name: String,
    /// The engine that has it, by its name; absent for the first engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The digest of the model's manifest, 64 hexadecimal digits; absent if the engine does not
    /// report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Bytes on disk.
    #[serde(default)]
    pub size: u64,
    /// The family, for example `llama`.
    #[serde(default)]
    pub family: String,
    /// The parameter size in Ollama's notation, for example `3.2B`.
    #[serde(default)]
    pub parameter_size: String,
    /// The quantization in Ollama's notation, for example `Q4_K_M`.
    #[serde(default)]
    pub quantization: String,
    /// The context length the model was trained for, in tokens; it may be loaded with less
    /// ([`LoadedModel`]).
    pub context_length: Option<u64>,
    /// The capabilities: `completion`, `thinking`, `vision`, `tools`, `embedding`.
    #[serde(default)]
    #[serde_as(as = "VecSkipError<_>")]
    pub capabilities: Vec<String>,
    /// The values of `think` that have an effect on the model; none without the capability `thinking`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(as = "VecSkipError<_>")]
    pub think: Vec<Think>,
    /// The parameters that the model file sets, by name, as text; several values of one name stand on a line each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub parameters: BTreeMap<String, String>,
    /// The model's tokenizer, by which tokens are estimated: the name that its GGUF file gives to the way it splits
    /// texts (`llama-bpe`), or to its kind (`llama`); empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tokenizer: String,
    /// When the model was last changed, in Ollama's notation (RFC 3339); empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub modified_at: String,
    /// Whether the conversation would leave this machine, because the model runs in Ollama's cloud.
    #[serde(default)]
    pub remote: bool,
    /// Whether the engine does not delete it, although it deletes others.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_fixed: bool,
    /// Whether the engine could not load it the last time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed_to_load: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl ModelInfo {
    /// The model with its engine.
    #[must_use]
    pub fn id(&self) -> ModelId {
        ModelId::new(self.engine.as_deref(), &self.name)
    }

    /// Whether this is that model.
    #[must_use]
    pub fn is(&self, model: &ModelId) -> bool {
        self.engine == model.engine && self.name == model.name
    }

    /// Whether the model can answer: it reports the capability of completion, or, as an older
    /// Ollama does, no capability at all.
    #[must_use]
    pub fn can_chat(&self) -> bool {
        self.capabilities.is_empty() || self.capabilities.iter().any(|c| c == "completion")
    }
}

impl ModelInfo {
    /// Whether the model makes vectors of texts and reports that. An older Ollama does not, so its embedding models are
    /// not offered.
    #[must_use]
    pub fn embeds(&self) -> bool {
        self.capabilities.iter().any(|c| c == "embedding")
    }

    /// Whether the model sees images: it reports the capability of vision, or no capability at all.
    #[must_use]
    pub fn sees_images(&self) -> bool {
        self.capabilities.is_empty() || self.capabilities.iter().any(|c| c == "vision")
    }

    /// Whether the model calls tools: it reports that, or no capability at all.
    #[must_use]
    pub fn uses_tools(&self) -> bool {
        self.capabilities.is_empty() || self.capabilities.iter().any(|c| c == "tools")
    }
}

/// A model's name for display, without the default tag `latest`.
#[must_use]
pub fn short_name(name: &str) -> &str {
    name.strip_suffix(":latest").unwrap_or(name)
}

/// The response of `POST /api/v1/models` and `POST /api/v1/installed`, newest first in Ollama's
/// order.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelList {
    /// The models; those of `models` can chat, those of `installed` are all.
    #[serde_as(as = "VecSkipError<_>")]
    pub models: Vec<ModelInfo>,
}

/// A model in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// The full name, tag included.
    pub name: String,
    /// The context length that Ollama allocated, in tokens.
    pub context_length: Option<u64>,
    /// When Ollama unloads the model, in Ollama's notation (RFC 3339).
    #[serde(default)]
    pub expires_at: String,
    /// The memory that the model takes, in bytes; 0 if the engine does not report it.
    #[serde(default)]
    pub size: u64,
    /// The part of `size` that is in the memory of the GPU, in bytes.
    #[serde(default)]
    pub size_vram: u64,
    /// Whether the engine has freed its memory and loads it with the next prompt.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_asleep: bool,
}

/// A model on its way into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadingModel {
    /// The full name.
    pub name: String,
    /// How far it is loaded, in percent; `None` if the engine does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
}

/// The limits of one request. The server rejects larger requests and never trims them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestLimits {
    /// The number of messages: system prompt, context and prompt ([`super::ChatRequest::count`]).
    pub messages: usize,
    /// The bytes of the request body.
    pub bytes: usize,
}

/// The response of `POST /api/v1/state`.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineState {
    /// Whether the engine answered.
    pub reachable: bool,
    /// Whether the demo was asked.
    #[serde_as(as = "DefaultOnError")]
    pub upstream: Upstream,
    /// All engines of the server's configuration, in its order, whichever was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde_as(as = "VecSkipError<_>")]
    pub engines: Vec<EngineInfo>,
    /// Whether this was asked on the machine that runs Sash, as far as the server can tell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub from_this_machine: bool,
    /// What else the server says of itself, by its name ([`Self::says`]).
    #[serde(flatten)]
    pub others: Map<String, Value>,
    /// The address of Ollama that the server tried, without credentials; empty for another engine.
    pub address: String,
    /// The engine's version.
    pub version: Option<String>,
    /// The models in memory.
    #[serde_as(as = "VecSkipError<_>")]
    pub loaded: Vec<LoadedModel>,
    /// The models on their way into memory, from an engine that tells them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde_as(as = "VecSkipError<_>")]
    pub loading: Vec<LoadingModel>,
    /// The limits of Sash itself; unknown if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub limits: Option<RequestLimits>,
    /// Why the engine did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub fault: Option<Fault>,
}

impl EngineState {
    /// Whether the server says this of itself.
    #[must_use]
    pub fn says(&self, name: &str) -> bool {
        self.others.get(name) == Some(&Value::Bool(true))
    }

    /// What the server tells of itself under this name; `None` where it tells nothing, or something else.
    #[must_use]
    pub fn told<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        T::deserialize(self.others.get(name)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_else_a_server_says_stands_beside_its_state_and_costs_it_nothing() {
        let state = EngineState {
            reachable: true,
            others: [("sings".to_owned(), Value::Bool(true))]
                .into_iter()
                .collect(),
            ..EngineState::default()
        };
        let written = serde_json::to_value(&state).unwrap();
        assert_eq!(written["sings"], true);
        let read: EngineState = serde_json::from_value(written).unwrap();
        assert_eq!(read, state);
        assert!(read.says("sings") && !read.says("dances"));
        let odd = r#"{"reachable":true,"sings":"bass","loaded":[3],"limits":"none"}"#;
        let odd: EngineState = serde_json::from_str(odd).unwrap();
        assert!(odd.reachable && !odd.says("sings") && odd.limits.is_none());
        assert_eq!(odd.told("sings"), Some("bass".to_owned()));
        assert_eq!(odd.told::<u64>("sings"), None, "another form");
        assert_eq!(odd.told::<String>("dances"), None);
    }

    #[test]
    fn models_that_only_embed_cannot_chat() {
        let can_chat = |capabilities: &[&str]| {
            let model = ModelInfo {
                capabilities: capabilities.iter().map(|c| (*c).to_owned()).collect(),
                ..ModelInfo::default()
            };
            model.can_chat()
        };
        assert!(!can_chat(&["embedding"]));
        assert!(!can_chat(&["image"]));
        assert!(can_chat(&["completion", "tools"]));
        assert!(can_chat(&[]));
    }
}
