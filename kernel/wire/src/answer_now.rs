//! Ends the thinking of an answer that runs.

use super::{Fault, Upstream};
use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/answer_now`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerNowRequest {
    /// The model that thinks.
    pub model: String,
    /// Whether Ollama or the demo has it.
    #[serde(default)]
    pub upstream: Upstream,
    /// The engine that has it, by its name; the first one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The id of the answer, from its frame [`Endable`](super::Frame::Endable).
    pub id: String,
}

/// The most bytes of the id that an engine gives to an answer.
const MAX_COMPLETION_ID: usize = 200;

/// Whether a text can be the id that an engine gives to an answer.
#[must_use]
pub fn is_completion_id(id: &str) -> bool {
    (1..=MAX_COMPLETION_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

impl AnswerNowRequest {
    /// Checks the id.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] for a text that no engine gives.
    pub fn check(&self) -> Result<(), Fault> {
        match is_completion_id(&self.id) {
            true => Ok(()),
            false => Err(Fault::InvalidField {
                field: "id".to_owned(),
                reason: format!(
                    "it must be that of a frame “endable”, at most {MAX_COMPLETION_ID} bytes"
                ),
            }),
        }
    }
}
