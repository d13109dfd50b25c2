//! The state of a tab that survives a reload.

use crate::browser::storage::{is_closed, keep_if_room, session};
use sash_chat::Id;
use sash_state::{RememberedPull, RememberedTab};
use sash_wire::PageAddress;

const OPEN_CHAT: &str = "sash:open";

fn session_storage() -> Option<web_sys::Storage> {
    session().filter(|_| !is_closed())
}

/// Stores which chat is open in this tab; `None`: one that is not stored.
pub fn remember_chat(id: Option<Id>) {
    let id = id.map(|id| id.to_string());
    // If there is no room, a reload shows the chat written last.
    keep_if_room(session_storage(), OPEN_CHAT, id.as_deref());
}

const PANEL: &str = "sash:panel";

/// Stores whether the panel is open in this tab.
pub fn remember_panel(open: bool) {
    // If there is no room, a reload shows the page without the panel.
    keep_if_room(session_storage(), PANEL, open.then_some("open"));
}

const TEMPORARY: &str = "sash:temporary";

/// Stores whether a temporary chat with something in it is open in this tab: that it was, and nothing of it.
pub fn remember_temporary(open: bool) {
    // If there is no room, a reload says nothing of the chat that it ended.
    keep_if_room(session_storage(), TEMPORARY, open.then_some("open"));
}

/// Whether a reload ended a temporary chat. A duplicated tab has a copy of what its first tab stored, where the chat is
/// still open.
#[must_use]
pub fn ended_temporary() -> bool {
    let is_stored = |storage: web_sys::Storage| matches!(storage.get_item(TEMPORARY), Ok(Some(_)));
    is_loaded_again() && session_storage().is_some_and(is_stored)
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
    let item = |key| session_storage()?.get_item(key).ok()?;
    RememberedTab {
        chat: chat_of_address().or_else(|| item(OPEN_CHAT)?.parse().ok()),
        panel_shown: item(PANEL).is_some(),
    }
}

/// The chat of the page's address.
fn chat_of_address() -> Option<Id> {
    let path = web_sys::window()?.location().pathname().ok()?;
    PageAddress::parse(&path, &[])?.chat()
}

const SUMMARY: &str = "sash:summary";

/// Stores the chat whose summary a reload of this tab begins again.
pub fn remember_summary(chat: Option<Id>) {
    let written = chat.map(|chat| chat.to_string());
    // If there is no room, a reload does not take it up.
    keep_if_room(session_storage(), SUMMARY, written.as_deref());
}

/// The chat whose summary a reload broke off.
#[must_use]
pub fn remembered_summary() -> Option<Id> {
    session_storage()?.get_item(SUMMARY).ok()??.parse().ok()
}

const PULLS: &str = "sash:pulls";

/// Stores which pulls a reload of this tab takes up again.
pub fn remember_pulls(pulls: &[RememberedPull]) {
    // If there is no room, a reload does not take them up; Ollama keeps what is downloaded.
    let written = serde_json::to_string(pulls).ok();
    let written = written.filter(|_| !pulls.is_empty());
    keep_if_room(session_storage(), PULLS, written.as_deref());
}

/// The pulls of this tab before a reload.
#[must_use]
pub fn remembered_pulls() -> Vec<RememberedPull> {
    let item = session_storage().and_then(|storage| storage.get_item(PULLS).ok()?);
    item.and_then(|item| serde_json::from_str(&item).ok())
        .unwrap_or_default()
}
