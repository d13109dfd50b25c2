//! The key that sends a prompt.

use sash_browser_kit::keys::has_keyboard;
use sash_stores::SendKey;
use web_sys::KeyboardEvent;

/// Whether a key press sends the prompt.
pub fn is_send(event: &KeyboardEvent, send_key: SendKey) -> bool {
    let with_modifier = match send_key.on(has_keyboard()) {
        SendKey::Enter | SendKey::Device => true,
        SendKey::CtrlEnter => event.ctrl_key() || event.meta_key(),
    };
    event.key() == "Enter" && !event.shift_key() && with_modifier
}
