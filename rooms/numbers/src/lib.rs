//! The numbers of the log: tokens and speed of each model's answers, and the size of each chat.
//!
//! [`read_measures`] reads them; `view` has the page that shows them.

mod measures;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use measures::{AnswerMeasure, Measures, read_measures};
#[cfg(target_arch = "wasm32")]
pub use view::{NumbersDialog, numbers_command};
