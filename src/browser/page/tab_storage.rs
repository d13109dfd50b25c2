//! The state of a tab that survives a reload.

use leptos::prelude::window;
use sash_chat::Id;

const OPEN_CHAT: &str = "sash:open";

fn session_storage() -> Option<web_sys::Storage> {
    let storage = window().session_storage().ok()?;
    storage.filter(|_| !crate::browser::storage::is_closed())
}

/// Stores which chat is open in this tab.
pub fn remember_chat(id: Id) {
    if let Some(storage) = session_storage() {
        // If there is no room, a reload shows the chat written last.
        let _ = storage.set_item(OPEN_CHAT, &id.to_string());
    }
}

/// The chat that was open in this tab before.
#[must_use]
pub fn remembered_chat() -> Option<Id> {
    session_storage()?.get_item(OPEN_CHAT).ok()??.parse().ok()
}

const PANEL: &str = "sash:panel";

/// Stores whether the panel is open in this tab.
pub fn remember_panel(open: bool) {
    if let Some(storage) = session_storage() {
        // If there is no room, a reload shows the page without the panel.
        let _ = match open {
            true => storage.set_item(PANEL, "open"),
            false => storage.remove_item(PANEL),
        };
    }
}

/// Whether the panel was open in this tab before.
#[must_use]
pub fn is_panel_remembered() -> bool {
    session_storage().is_some_and(|storage| matches!(storage.get_item(PANEL), Ok(Some(_))))
}
