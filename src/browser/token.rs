//! The token of LAN mode. It comes in the fragment of the address, which reaches no log and no
//! Referer, moves to sessionStorage and leaves the address bar at once.

use crate::api::set_token;
use gloo_storage::{SessionStorage, Storage};

const KEY: &str = "sash:token";

fn usable() -> bool {
    web_sys::window().is_some_and(|w| matches!(w.session_storage(), Ok(Some(_))))
}

/// Takes the token from the address or from this tab's memory.
pub fn take() {
    let from_address = take_from_address();
    if let Some(token) = from_address {
        remember(token);
    } else {
        set_token(kept());
    }
}

/// The token that this tab remembers.
#[must_use]
pub fn kept() -> Option<String> {
    let usable = usable();
    usable.then(|| SessionStorage::raw().get_item(KEY).ok().flatten())?
}

/// Uses a token from now on.
pub fn remember(token: String) {
    if usable() {
        // Without room for it the token serves until the page is closed.
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
