//! An answer's way back to a page that was gone, and its stop.

use sash_chat::AnswerId;
use serde::{Deserialize, Serialize};

/// The header of a prompt's response that says `yes` or `no`: whether the server keeps the frames of the answer. Only a
/// request with an [`answer_id`](crate::ChatRequest::answer_id) gets it.
pub const ANSWER_KEPT: &str = "sash-answer-kept";

/// The body of `POST /api/v1/resume`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResumeRequest {
    /// The answer.
    pub id: AnswerId,
    /// How many frames of it the page has: those after them are sent.
    #[serde(default)]
    pub after: usize,
}

/// The body of `POST /api/v1/stop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopRequest {
    /// The answer.
    pub id: AnswerId,
}
