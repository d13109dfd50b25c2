//! The keys of commands.

use crate::settings::PaletteSettingsStoreFields;
use crate::{KeyPress, Palette};
use leptos::prelude::*;
use sash_browser_kit::{keys, page};
use sash_view::stores::use_kernel;
use web_sys::KeyboardEvent;

/// The shortcut of a key press; `None` for a modifier alone, and for what writes with AltGr.
pub fn shortcut_of(event: &KeyboardEvent) -> Option<String> {
    let press = KeyPress {
        key: &event.key(),
        code: &event.code(),
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
        alt_graph: event.get_modifier_state("AltGraph"),
    };
    press.shortcut()
}

/// Runs commands by their keys, while the component lives.
pub fn use_command_keys() {
    let (commands, palette) = (use_kernel().commands(), Palette::expect());
    keys::use_key_press(move |event| {
        let has_help_key = !palette.settings.current.no_help_key().get_untracked();
        let command = match has_help_key && keys::is_help_key(event) {
            true => commands.named("keys"),
            false => shortcut_of(event).and_then(|pressed| palette.command_of(&pressed)),
        };
        let command = command
            .filter(|command| command.over_dialogs || !page::has_dialog())
            .filter(|command| untrack(|| (command.can)()));
        if let Some(command) = command.as_ref().filter(|_| !event.repeat()) {
            (command.run)();
        }
        command.is_some()
    });
}
