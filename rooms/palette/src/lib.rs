//! The list of commands, in which everything that can be done, opened or chosen is found by typing, and the keys of commands,
//! which the person can change.
//!
//! [`Palette`] is the store; `view` has both lists and runs commands by their keys.

#[cfg(any(target_arch = "wasm32", test))]
mod fixed_keys;
mod settings;
mod shortcut;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use shortcut::{KeyPress, Keyboard};
pub use store::Palette;
#[cfg(target_arch = "wasm32")]
pub use view::{
    HELP_KEY, HelpKeySetting, KeysDialog, PaletteDialog, keys_command, palette_command,
    use_command_keys,
};

/// Gives the page the store.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    let keyboard = match sash_browser_kit::keys::has_apple_keyboard() {
        true => Keyboard::Apple,
        false => Keyboard::Words,
    };
    leptos::prelude::provide_context(Palette::new(kernel, keyboard));
}
