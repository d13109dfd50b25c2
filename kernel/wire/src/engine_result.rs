//! Results of an engine that counts a prompt, makes vectors, or shows a model.

use serde::{Deserialize, Serialize};

/// The response of `POST /api/v1/count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedPrompt {
    /// The tokens that the model would read, those of its template included; absent where the engine cannot count this
    /// request, because it leaves images out of its count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// The response of `POST /api/v1/embed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Embedded {
    /// A vector for each text, in the order of the texts, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// The tokens that the model read; absent if the engine does not report them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
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
