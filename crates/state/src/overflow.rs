//! A request that did not fit the model's context, and what was asked with it.

use sash_chat::{Id, Policy};

/// What was asked with a request that did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The draft; it is still in the composer.
    Draft,
    /// Another version of a question of the log; it is still in its field.
    Version(Id),
    /// A question of the log.
    Question(Id),
    /// To go on where an answer ended.
    Continue(Id),
    /// A question of the log, with a window that is not the chat's.
    Trial(OtherWindow),
}

/// A request that did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// The chat it was of.
    pub chat: Id,
    /// What was asked.
    pub asked: Asked,
    /// What was brought back for it.
    pub recalled: Vec<Id>,
    /// Tokens it has.
    pub tokens: u64,
    /// Tokens the model has room for.
    pub context: u64,
    /// It is a guess, and nothing was sent; otherwise Ollama has counted.
    pub guessed: bool,
}

/// Another window for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherWindow {
    /// Another rule; pins, mutes and clearings stay.
    Rule(Policy),
    /// What was read, without this message.
    Without(Id),
}
