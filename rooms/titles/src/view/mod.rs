//! The dialog of a title by the model, and what opens it.

mod title_dialog;

pub use title_dialog::{TitleDialog, TitleItem, title_command};
