//! The list of commands: everything that can be done, opened or chosen, found by typing.

mod entry;
mod palette_dialog;
mod palette_option;
mod pressed;
mod runner;

pub use palette_dialog::{PaletteDialog, palette_command};
pub use pressed::shortcut_of;
pub use runner::use_command_keys;
