//! Models, the state of Ollama, and pulls.

use super::Fault;
use sash_chat::json::{Fields, FromJson, read_by_hand};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which server answers: an opaque name from the server's own list, never an address from the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelInfo {
    /// The full name, tag included.
    pub name: String,
    /// Digest of its manifest, 64 hexadecimal digits; absent where the engine does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Bytes on disk.
    pub size: u64,
    /// Family, for one `llama`.
    pub family: String,
    /// Parameter size as Ollama writes it, for one `3.2B`.
    pub parameter_size: String,
    /// Quantisation as Ollama writes it, for one `Q4_K_M`.
    pub quantization: String,
    /// Tokens of context the model was trained for; what is loaded may be less ([`LoadedModel`]).
    pub context_length: Option<u64>,
    /// What it can do: `completion`, `thinking`, `vision`, `tools`, `embedding`.
    pub capabilities: Vec<String>,
    /// Whether the conversation would leave this machine (a cloud model).
    pub remote: bool,
}

/// A model's name as it is shown: `latest` goes without saying.
#[must_use]
pub fn short_name(name: &str) -> &str {
    name.strip_suffix(":latest").unwrap_or(name)
}

/// The answer of `POST /api/v1/models`, newest first as Ollama lists them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelList {
    /// The models; embedding models are left out, they cannot chat.
    pub models: Vec<ModelInfo>,
}

/// A model in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoadedModel {
    /// The full name, tag included.
    pub name: String,
    /// Tokens of context really allocated.
    pub context_length: Option<u64>,
    /// When it leaves memory, as Ollama writes it (RFC 3339).
    pub expires_at: String,
}

/// What the server takes in one prompt with its window. It refuses more and never trims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestLimits {
    /// Messages: system prompt, context and prompt ([`super::ChatRequest::count`]).
    pub messages: usize,
    /// Bytes of the request's body.
    pub bytes: usize,
}

/// The answer of `POST /api/v1/state`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OllamaState {
    /// Whether it answered.
    pub reachable: bool,
    /// Which server this is.
    pub upstream: Upstream,
    /// Where the server looked, without credentials.
    pub address: String,
    /// Its version.
    pub version: Option<String>,
    /// What is in memory.
    pub loaded: Vec<LoadedModel>,
    /// What Sash itself takes in one request; unknown if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<RequestLimits>,
    /// Why it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayerProgress {
    /// `sha256:…`
    pub digest: String,
    /// Bytes in all.
    pub total: u64,
    /// Bytes here.
    pub completed: u64,
}

/// One line of the answer to `POST /api/v1/pull`. The last one is always `done` or `error`.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl FromJson for Upstream {
    fn from_json(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "ollama" => Some(Upstream::Ollama),
            "demo" => Some(Upstream::Demo),
            _ => None,
        }
    }
}

impl FromJson for ModelInfo {
    fn from_json(value: &Value) -> Option<Self> {
        let text = |key| value.text(key).unwrap_or_default();
        Some(Self {
            name: value.text("name")?,
            digest: value.text("digest"),
            size: value.number("size").unwrap_or_default(),
            family: text("family"),
            parameter_size: text("parameter_size"),
            quantization: text("quantization"),
            context_length: value.number("context_length"),
            capabilities: value.items("capabilities"),
            remote: value.flag("remote"),
        })
    }
}

impl FromJson for ModelList {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            models: value.items("models"),
        })
    }
}

impl FromJson for LoadedModel {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            name: value.text("name")?,
            context_length: value.number("context_length"),
            expires_at: value.text("expires_at").unwrap_or_default(),
        })
    }
}

impl FromJson for RequestLimits {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            messages: value.number("messages")?,
            bytes: value.number("bytes")?,
        })
    }
}

impl FromJson for OllamaState {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            reachable: value.flag("reachable"),
            upstream: value.item("upstream").unwrap_or_default(),
            address: value.text("address").unwrap_or_default(),
            version: value.text("version"),
            loaded: value.items("loaded"),
            limits: value.item("limits"),
            fault: value.item("fault"),
        })
    }
}

impl FromJson for LayerProgress {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            digest: value.text("digest")?,
            total: value.number("total")?,
            completed: value.number("completed")?,
        })
    }
}

impl FromJson for PullFrame {
    fn from_json(value: &Value) -> Option<Self> {
        Some(match value.get("type")?.as_str()? {
            "status" => PullFrame::Status {
                text: value.text("text")?,
            },
            "layer" => PullFrame::Layer(LayerProgress::from_json(value)?),
            "done" => PullFrame::Done,
            "error" => PullFrame::Error {
                error: value.item("error")?,
            },
            _ => return None,
        })
    }
}

read_by_hand!(
    Upstream,
    ModelInfo,
    ModelList,
    LoadedModel,
    RequestLimits,
    OllamaState,
    LayerProgress,
    PullFrame
);
