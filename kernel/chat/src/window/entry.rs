//! One message of a window, and the reason it is in.

use super::Size;
use crate::{Id, Role};

/// Why a message is in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The policy chose it.
    Policy,
    /// It is pinned.
    Pin,
    /// It is the question of the first answer, and the model's template requires a question first.
    QuestionFirst,
}

/// One message of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowEntry {
    /// The message.
    pub id: Id,
    /// Who wrote the message.
    pub role: Role,
    /// Why it is in.
    pub reason: Reason,
    /// Whether it goes with the messages that were recalled for it.
    pub recalled: bool,
    /// Its size, images not included: what they cost depends on the model.
    pub size: Size,
    /// The number of its images.
    pub images: usize,
    /// Whether it is a call of tools or a result, which goes with its question and is not counted.
    pub in_tool_round: bool,
    /// Whether it is an answer whose question is not in the window.
    pub orphan: bool,
}
