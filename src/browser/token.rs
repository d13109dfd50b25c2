//! The token of LAN mode. It arrives in the fragment of the address, which appears in no log and no Referer,
//! is moved to sessionStorage, and is removed from the address bar at once. The key of the backup arrives with it.

use super::storage::{keep_if_room, session};
use crate::api::set_token;
use std::cell::Cell;

const KEY: &str = "sash:token";

thread_local! {
    /// The key of the backup that was in the address.
    static BACKUP_KEY: Cell<Option<String>> = const { Cell::new(None) };
}

/// Takes the token from the address or from this tab's storage, and the key of the backup from the address.
pub fn load() {
    let secrets = take_from_address().unwrap_or_default();
    if let Some(token) = secrets.token {
        remember(token);
    } else {
        set_token(kept());
    }
    BACKUP_KEY.set(secrets.backup_key);
}

/// The key of the backup that was in the address; once.
pub fn take_backup_key() -> Option<String> {
    BACKUP_KEY.take()
}

/// The secrets in the fragment of an address, or in a text that a person pasted: `t=` and `b=`, joined by `&`.
#[derive(Debug, Default)]
pub struct Secrets {
    /// The token.
    pub token: Option<String>,
    /// The key of the backup.
    pub backup_key: Option<String>,
}

impl Secrets {
    /// Those of a fragment.
    #[must_use]
    pub fn parse(fragment: &str) -> Self {
        let part = |name: &str| {
            let mut parts = fragment.split('&');
            parts.find_map(|part| part.strip_prefix(name).map(str::to_owned))
        };
        Self {
            token: part("t="),
            backup_key: part("b="),
        }
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

fn take_from_address() -> Option<Secrets> {
    let window = web_sys::window()?;
    let location = window.location();
    let secrets = Secrets::parse(location.hash().ok()?.strip_prefix('#')?);
    if secrets.token.is_none() && secrets.backup_key.is_none() {
        return None;
    }
    let path = location.pathname().ok()?;
    let history = window.history().ok()?;
    history
        .replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path))
        .ok()?;
    Some(secrets)
}
