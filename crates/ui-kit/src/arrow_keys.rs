//! Arrow keys with and without Alt.

use web_sys::KeyboardEvent;

/// Whether a key press is ArrowUp with Alt alone.
pub fn is_alt_up(event: &KeyboardEvent) -> bool {
    event.key() == "ArrowUp" && is_with_alt(event)
}

/// Whether a key press is ArrowDown with Alt alone.
pub fn is_alt_down(event: &KeyboardEvent) -> bool {
    event.key() == "ArrowDown" && is_with_alt(event)
}

fn is_with_alt(event: &KeyboardEvent) -> bool {
    let modified = event.shift_key() || event.ctrl_key() || event.meta_key();
    event.alt_key() && !modified
}

/// Whether a key press is ArrowUp without modifiers.
pub fn is_plain_up(event: &KeyboardEvent) -> bool {
    let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
    event.key() == "ArrowUp" && !modified
}

/// An arrow key as one in a line that runs to the right: in a language that is written from the right, the left arrow goes
/// forward.
#[must_use]
pub fn along_line(key: &str) -> &str {
    match (sash_words::language().direction, key) {
        ("rtl", "ArrowLeft") => "ArrowRight",
        ("rtl", "ArrowRight") => "ArrowLeft",
        _ => key,
    }
}
