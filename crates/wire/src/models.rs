//! Models, the state of Ollama, and pulls.

use super::Fault;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// Which server answers: an opaque name from the server's own list, never an address from the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Upstream {
    /// The Ollama the server was pointed at.
    #[default]
    Ollama,
    /// The built-in demo.
    Demo,
}

/// The request of `POST /api/v1/models` and `POST /api/v1/state`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpstreamRequest {
    /// Which server to ask; Ollama when absent. `sash --demo` answers with the demo in any case.
    pub upstream: Upstream,
}

/// One model that can answer.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The full name, tag included.
    pub name: String,
    /// Digest of its manifest, 64 hexadecimal digits; absent where the engine does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Bytes on disk.
    #[serde(default)]
    pub size: u64,
    /// Family, for one `llama`.
    #[serde(default)]
    pub family: String,
    /// Parameter size as Ollama writes it, for one `3.2B`.
    #[serde(default)]
    pub parameter_size: String,
    /// Quantisation as Ollama writes it, for one `Q4_K_M`.
    #[serde(default)]
    pub quantization: String,
    /// Tokens of context the model was trained for; what is loaded may be less ([`LoadedModel`]).
    pub context_length: Option<u64>,
    /// What it can do: `completion`, `thinking`, `vision`, `tools`, `embedding`.
    #[serde(default)]
    #[serde_as(as = "VecSkipError<_>")]
    pub capabilities: Vec<String>,
    /// Whether the conversation would leave this machine (a cloud model).
    #[serde(default)]
    pub remote: bool,
}

/// A model's name as it is shown: `latest` goes without saying.
#[must_use]
pub fn short_name(name: &str) -> &str {
    name.strip_suffix(":latest").unwrap_or(name)
}

/// The answer of `POST /api/v1/models`, newest first as Ollama lists them.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelList {
    /// The models; embedding models are left out, they cannot chat.
    #[serde_as(as = "VecSkipError<_>")]
    pub models: Vec<ModelInfo>,
}

/// A model in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// The full name, tag included.
    pub name: String,
    /// Tokens of context really allocated.
    pub context_length: Option<u64>,
    /// When it leaves memory, as Ollama writes it (RFC 3339).
    #[serde(default)]
    pub expires_at: String,
}

/// What the server takes in one prompt with its window. It refuses more and never trims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestLimits {
    /// Messages: system prompt, context and prompt ([`super::ChatRequest::count`]).
    pub messages: usize,
    /// Bytes of the request's body.
    pub bytes: usize,
}

/// The answer of `POST /api/v1/state`.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OllamaState {
    /// Whether it answered.
    pub reachable: bool,
    /// Which server this is.
    #[serde_as(as = "DefaultOnError")]
    pub upstream: Upstream,
    /// Where the server looked, without credentials.
    pub address: String,
    /// Its version.
    pub version: Option<String>,
    /// What is in memory.
    #[serde_as(as = "VecSkipError<_>")]
    pub loaded: Vec<LoadedModel>,
    /// What Sash itself takes in one request; unknown if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub limits: Option<RequestLimits>,
    /// Why it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub fault: Option<Fault>,
}

/// The request of `POST /api/v1/pull`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PullRequest {
    /// The name of the model.
    pub model: String,
    /// Where to.
    pub upstream: Upstream,
}

/// How far one layer is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerProgress {
    /// `sha256:…`
    pub digest: String,
    /// Bytes in all.
    pub total: u64,
    /// Bytes here.
    pub completed: u64,
}

/// One line of the answer to `POST /api/v1/pull`. The last one is always `done` or `error`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PullFrame {
    /// What Ollama is doing, in its words ("pulling manifest").
    Status {
        /// The words.
        text: String,
    },
    /// A layer moved. A layer is complete when the next one or another status comes: Ollama's last
    /// line of a layer is often below its total, so the server sends a full one then.
    Layer(LayerProgress),
    /// The model is there.
    Done,
    /// The pull broke off.
    Error {
        /// What happened.
        error: Fault,
    },
}
