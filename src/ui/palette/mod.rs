//! The list of commands: everything that can be done, opened or chosen, found by typing. What a command does is here too,
//! for the list and for keys.

mod entry;
mod palette_dialog;
mod palette_option;
mod runner;

pub use palette_dialog::PaletteDialog;
pub use runner::{CommandRunner, use_command_keys};
