//! One message of a window, and why it is in.

use super::Size;
use crate::{Id, Role};

/// Why a message is in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The policy reaches it.
    Policy,
    /// It is pinned.
    Pin,
    /// It was brought back for this prompt alone.
    Recall,
    /// It is the question of the first answer, and the model's template wants a question first.
    QuestionFirst,
}

/// One message of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The message.
    pub id: Id,
    /// Who speaks.
    pub role: Role,
    /// Why it is in.
    pub reason: Reason,
    /// How large it is.
    pub size: Size,
    /// It is an answer whose question does not go with it.
    pub orphan: bool,
}
