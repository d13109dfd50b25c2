//! The question for answers that are kept, and what is said of one, as they cross.

use sash_chat::AnswerId;
use serde::{Deserialize, Serialize};

/// The most ids of one [`KeptRequest`].
pub const MAX_KEPT_IDS: usize = 64;

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
