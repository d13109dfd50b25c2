//! The state of a tab that survives a reload.

use crate::browser::storage::{is_closed, keep_if_room, session};
use sash_chat::Id;

const OPEN_CHAT: &str = "sash:open";

fn session_storage() -> Option<web_sys::Storage> {
    session().filter(|_| !is_closed())
}

/// Stores which chat is open in this tab.
pub fn remember_chat(id: Id) {
    // If there is no room, a reload shows the chat written last.
    keep_if_room(session_storage(), OPEN_CHAT, Some(&id.to_string()));
}

/// The chat that was open in this tab before.
#[must_use]
pub fn remembered_chat() -> Option<Id> {
    session_storage()?.get_item(OPEN_CHAT).ok()??.parse().ok()
}

const PANEL: &str = "sash:panel";

/// Stores whether the panel is open in this tab.
pub fn remember_panel(open: bool) {
    // If there is no room, a reload shows the page without the panel.
    keep_if_room(session_storage(), PANEL, open.then_some("open"));
}

/// Whether the panel was open in this tab before.
#[must_use]
pub fn is_panel_remembered() -> bool {
    session_storage().is_some_and(|storage| matches!(storage.get_item(PANEL), Ok(Some(_))))
}
