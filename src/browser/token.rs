//! The token of LAN mode. It arrives in the fragment of the address, which appears in no log and no Referer,
//! is moved to sessionStorage, and is removed from the address bar at once.

use super::storage::{keep_if_room, session};
use crate::api::set_token;

const KEY: &str = "sash:token";

/// Takes the token from the address or from this tab's storage.
pub fn load() {
    let from_address = take_from_address();
    if let Some(token) = from_address {
        remember(token);
    } else {
        set_token(kept());
    }
}

/// The token stored for this tab.
#[must_use]
pub fn kept() -> Option<String> {
    session()?.get_item(KEY).ok()?
}

/// Stores and uses a token.
pub fn remember(token: String) {
    // If there is no room, the token is used until the page is closed.
    keep_if_room(session(), KEY, Some(&token));
    set_token(Some(token));
}

fn take_from_address() -> Option<String> {
    let window = web_sys::window()?;
    let location = window.location();
    let token = location.hash().ok()?.strip_prefix("#t=")?.to_owned();
    let path = location.pathname().ok()?;
    let history = window.history().ok()?;
    history
        .replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path))
        .ok()?;
    Some(token)
}
