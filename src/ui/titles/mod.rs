//! Titles that a model gives.

mod title_dialog;

pub use title_dialog::{TitleDialog, TitleItem, title_command};
