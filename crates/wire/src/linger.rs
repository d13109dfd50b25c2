//! The calls about an answer that the server keeps while its page is gone.

use sash_chat::AnswerId;
use serde::{Deserialize, Serialize};

/// The header of a prompt's response that says `yes` or `no`: whether the server keeps the frames of the answer. Only a
/// request with an [`answer_id`](crate::ChatRequest::answer_id) gets it.
pub const ANSWER_KEPT: &str = "sash-answer-kept";

/// The most ids of one [`KeptRequest`].
pub const MAX_KEPT_IDS: usize = 64;

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

/// The body of `POST /api/v1/kept`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRequest {
    /// The answers that are asked for; at most [`MAX_KEPT_IDS`].
    pub ids: Vec<AnswerId>,
}

/// An answer whose frames the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// The answer.
    pub id: AnswerId,
    /// Whether the model still writes.
    pub running: bool,
    /// How many frames the server has.
    pub frames: usize,
}
