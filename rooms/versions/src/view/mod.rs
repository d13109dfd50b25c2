//! The field of an answer that is edited, and what is in the menu of a message.

mod answer_edit_field;
mod menu_items;

pub use answer_edit_field::AnswerEditField;
pub use menu_items::{EditAnswerItem, ForkItem};
