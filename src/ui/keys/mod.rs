//! The keys: what they do, and which ones the person chooses for commands.

mod keys_dialog;
mod shortcut_list;
mod shortcut_row;

pub use keys_dialog::{KeysDialog, keys_command};
