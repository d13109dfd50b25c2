//! Keys in the prompt field.

use web_sys::KeyboardEvent;

/// Whether a key press is an Enter that sends the prompt.
pub fn is_enter(event: &KeyboardEvent) -> bool {
    // Key code 229: an input method is processing the key; some browsers report nothing else.
    let composing = event.is_composing() || event.key_code() == 229;
    event.key() == "Enter" && !event.shift_key() && !composing
}

/// Whether a key press is ArrowUp without modifiers.
pub fn is_plain_up(event: &KeyboardEvent) -> bool {
    let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
    event.key() == "ArrowUp" && !modified && !event.is_composing()
}
