//! The list of commands, everything that can be done, opened or chosen, found by typing; and the list of keys.

mod entry;
mod keys_dialog;
mod palette_dialog;
mod runner;
mod shortcut_list;

pub use keys_dialog::{HELP_KEY, HelpKeySetting, KeysDialog, keys_command};
pub use palette_dialog::{PaletteDialog, palette_command};
pub use runner::use_command_keys;
