//! The keys of the field in which a prompt is written.

use web_sys::KeyboardEvent;

/// Whether a key press is an Enter that sends.
pub fn is_enter(event: &KeyboardEvent) -> bool {
    // 229: a key that an input method is still working on; some browsers say only that.
    let composing = event.is_composing() || event.key_code() == 229;
    event.key() == "Enter" && !event.shift_key() && !composing
}

/// Whether a key press is Up alone.
pub fn is_plain_up(event: &KeyboardEvent) -> bool {
    let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
    event.key() == "ArrowUp" && !modified && !event.is_composing()
}
