//! A key press as a shortcut.

use crate::{KeyPress, Shortcut};
use web_sys::KeyboardEvent;

/// The shortcut of a key press; `None` for a modifier alone, and for what writes with AltGr.
#[must_use]
pub fn shortcut_of(event: &KeyboardEvent) -> Option<Shortcut> {
    Shortcut::pressed(KeyPress {
        key: &event.key(),
        code: &event.code(),
        control: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
        alt_graph: event.get_modifier_state("AltGraph"),
    })
}
