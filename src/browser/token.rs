//! The token of LAN mode. It arrives in the fragment of the address, which appears in no log and no Referer,
//! is moved to sessionStorage, and is removed from the address bar at once.

use crate::api::set_token;
use gloo_storage::{SessionStorage, Storage};

const KEY: &str = "sash:token";

fn usable() -> bool {
    web_sys::window().is_some_and(|w| matches!(w.session_storage(), Ok(Some(_))))
}

/// Takes the token from the address or from this tab's storage.
pub fn take() {
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
    let usable = usable();
    usable.then(|| SessionStorage::raw().get_item(KEY).ok().flatten())?
}

/// Stores and uses a token.
pub fn remember(token: String) {
    if usable() {
        // If there is no room, the token is used until the page is closed.
        let _ = SessionStorage::raw().set_item(KEY, &token);
    }
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
