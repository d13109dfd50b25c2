//! The state of a tab that survives a reload.

use crate::browser::storage::{is_closed, keep_if_room, session};
use sash_chat::Id;
use sash_stores::RememberedTab;
use sash_wire::PageAddress;

fn session_storage() -> Option<web_sys::Storage> {
    session().filter(|_| !is_closed())
}

/// Stores a value for this tab under a key, or removes it. Without room for it, a reload finds none.
pub fn remember(key: &str, value: Option<&str>) {
    keep_if_room(session_storage(), key, value);
}

/// The value of this tab under a key.
#[must_use]
pub fn remembered(key: &str) -> Option<String> {
    session_storage()?.get_item(key).ok()?
}

const OPEN_CHAT: &str = "sash:open";

/// Stores which chat is open in this tab; `None`: one that is not stored.
pub fn remember_chat(id: Option<Id>) {
    let id = id.map(|id| id.to_string());
    // If there is no room, a reload shows the chat written last.
    remember(OPEN_CHAT, id.as_deref());
}

const PANEL: &str = "sash:panel";

/// Stores whether the panel is open in this tab.
pub fn remember_panel(open: bool) {
    // If there is no room, a reload shows the page without the panel.
    remember(PANEL, open.then_some("open"));
}

const TEMPORARY: &str = "sash:temporary";

/// Stores whether a temporary chat with something in it is open in this tab: that it was, and nothing of it.
pub fn remember_temporary(open: bool) {
    // If there is no room, a reload says nothing of the chat that it ended.
    remember(TEMPORARY, open.then_some("open"));
}

/// Whether a reload ended a temporary chat. A duplicated tab has a copy of what its first tab stored, where the chat is
/// still open.
#[must_use]
pub fn ended_temporary() -> bool {
    is_loaded_again() && remembered(TEMPORARY).is_some()
}

/// Whether this tab loads the page once more: it is reloaded, or the person comes back to it. Also in a browser that does
/// not tell.
fn is_loaded_again() -> bool {
    let performance = web_sys::window().and_then(|window| window.performance());
    let entry = performance.map(|performance| performance.get_entries_by_type("navigation").get(0));
    let kind = entry.and_then(|entry| js_sys::Reflect::get(&entry, &"type".into()).ok());
    let kind = kind.and_then(|kind| kind.as_string());
    kind.is_none_or(|kind| matches!(&*kind, "reload" | "back_forward"))
}

/// What this tab shows first: the chat of its address, or what it showed before a reload.
#[must_use]
pub fn remembered_tab() -> RememberedTab {
    RememberedTab {
        chat: chat_of_address().or_else(|| remembered(OPEN_CHAT)?.parse().ok()),
        panel_shown: remembered(PANEL).is_some(),
    }
}

/// The chat of the page's address.
fn chat_of_address() -> Option<Id> {
    let path = web_sys::window()?.location().pathname().ok()?;
    PageAddress::parse(&path, &[])?.chat()
}
