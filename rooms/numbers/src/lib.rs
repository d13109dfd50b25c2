//! The numbers of the log: tokens and speed of each model's answers, and the room of each chat.
//!
//! [`Numbers`] reads them; `view` has the page that shows them.

mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use store::{AnswerMeasure, Measures, Numbers};
#[cfg(target_arch = "wasm32")]
pub use view::{NumbersDialog, numbers_command};
