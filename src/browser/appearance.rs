//! Choices of how the page looks. Each is an attribute of the root element and a key of localStorage, from which
//! `boot.js` applies it before the first paint.

use super::console::LogError;
use super::storage::{keep_if_room, local};
use leptos::prelude::document;

/// The stored choice.
pub(super) fn stored(key: &str) -> Option<String> {
    local().and_then(|storage| storage.get_item(key).ok().flatten())
}

/// Applies a choice and stores it; `None` is the default, which has neither attribute nor key.
pub(super) fn apply(attribute: &str, key: &str, chosen: Option<&str>) {
    if let Some(root) = document().document_element() {
        let done = match chosen {
            None => root.remove_attribute(attribute),
            Some(name) => root.set_attribute(attribute, name),
        };
        done.log_error();
    }
    // The raw name, because `boot.js` reads it; if it cannot be stored, the person has to choose again.
    keep_if_room(local(), key, chosen);
}
