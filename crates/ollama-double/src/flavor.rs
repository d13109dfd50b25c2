//! The server of the OpenAI chat API that is imitated.

use serde::{Deserialize, Serialize};

/// Which server of the OpenAI chat API is imitated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flavor {
    /// llama.cpp's `llama-server`: one model, whose name in a request does not matter.
    LlamaServer,
    /// vLLM: the models that it serves, by name.
    Vllm,
}
