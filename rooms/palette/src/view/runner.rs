//! The keys of commands.

use super::pressed::shortcut_of;
use crate::Palette;
use leptos::prelude::*;
use sash_browser_kit::{keys, page};
use sash_stores::{Kernel, SettingsStoreFields};
use sash_view::stores::use_kernel;
use web_sys::KeyboardEvent;

/// Runs commands by their keys, while the component lives.
pub fn use_command_keys() {
    let (kernel, palette) = (use_kernel(), Palette::expect());
    keys::use_key_press(move |event| run_key(kernel, palette, event));
}

/// Runs the command of a key press. Returns whether there is one.
fn run_key(kernel: Kernel, palette: Palette, event: &KeyboardEvent) -> bool {
    let has_help_key = !kernel.settings().current.no_help_key().get_untracked();
    let command = match has_help_key && keys::is_help_key(event) {
        true => kernel.commands().named("keys"),
        false => shortcut_of(event).and_then(|pressed| palette.command_of(&pressed)),
    };
    let command = command.filter(|command| command.over_dialogs || !page::has_dialog());
    let Some(command) = command.filter(|command| untrack(|| (command.can)())) else {
        return false;
    };
    if !event.repeat() {
        (command.run)();
    }
    true
}
