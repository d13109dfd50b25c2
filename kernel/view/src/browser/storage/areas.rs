//! The two web storages, if the page may use them, and their keys.

use super::raw;
use sash_browser_kit::console::LogError;
use web_sys::{Storage, window};

/// The localStorage, if it may be used.
#[must_use]
pub fn local() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// The sessionStorage, if it may be used.
pub(in crate::browser) fn session() -> Option<Storage> {
    window()?.session_storage().ok()?
}

/// Stores or removes a value that may be lost: if storage is full, the value is not stored.
pub fn keep_if_room(storage: Option<Storage>, key: &str, value: Option<&str>) {
    let Some(storage) = storage else {
        return;
    };
    let done = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
    done.ok();
}

/// The keys that belong to Sash.
pub(in crate::browser) fn keys_of_sash(storage: &Storage) -> impl Iterator<Item = String> {
    raw::keys(storage).filter(|key| key.starts_with("sash:"))
}

/// Deletes this tab's own state.
pub fn forget_tab() {
    if let Some(storage) = session() {
        for key in keys_of_sash(&storage) {
            storage.remove_item(&key).log_error();
        }
    }
}

/// The records whose keys have this prefix, each as a JSON string, which can also represent values
/// that are not valid text.
#[must_use]
pub fn records(beginning: &str) -> Vec<(String, String)> {
    let Some(storage) = local() else {
        return Vec::new();
    };
    let keys = raw::keys(&storage).filter(|key| key.starts_with(beginning));
    keys.filter_map(|key| {
        let quoted = raw::quoted(&raw::value(&storage, &key)?)?;
        Some((key, quoted))
    })
    .collect()
}

/// Removes the records whose keys have this prefix.
pub fn remove_records(beginning: &str) {
    if let Some(storage) = local() {
        for key in raw::keys(&storage).filter(|key| key.starts_with(beginning)) {
            storage.remove_item(&key).log_error();
        }
    }
}
