//! Versions by the person: answers that were changed, and branches that go on in a chat of their own.
//!
//! The chat keeps both: this is how they are made and undone, the field of an answer and the entries of the menu.

mod edited_answers;
mod forks;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use edited_answers::edit_answer;
pub use forks::fork_chat;
#[cfg(target_arch = "wasm32")]
pub use view::{AnswerEditField, EditAnswerItem, ForkItem};
