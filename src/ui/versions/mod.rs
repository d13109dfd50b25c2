//! Answers that the person changes.

mod answer_edit_field;
mod menu_items;

pub use answer_edit_field::AnswerEditField;
pub use menu_items::{EditAnswerItem, ForkItem};
