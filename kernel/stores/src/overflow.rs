//! A request that does not fit the model's context, and the prompt it was built from.

use sash_chat::{Id, Policy};

/// The prompt that a request was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowSource {
    /// The draft, which is still in the composer.
    Draft,
    /// A prompt that was put aside, by its id; it is still there.
    PutAside(Id),
    /// An edited version of a question of the log; the text is still in its field.
    Version(Id),
    /// A question of the log.
    Question(Id),
    /// A continuation of an answer.
    Continue(Id),
    /// A question of the log, with a window other than the chat's.
    Trial(OtherWindow),
    /// A question of the log, with a model other than the chat's.
    OtherModel(Id),
}

/// A request that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// The chat of the prompt.
    pub chat: Id,
    /// The prompt.
    pub asked: OverflowSource,
    /// The tokens of the request.
    pub tokens: u64,
    /// The context length of the model, in tokens.
    pub context: u64,
    /// Whether `tokens` is our estimate, before sending; otherwise Ollama counted them.
    pub guessed: bool,
}

/// A different window for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherWindow {
    /// Another policy; pins, mutes and clearings stay.
    Rule(Policy),
    /// The messages of the answer's receipt, except this one.
    Without(Id),
}
