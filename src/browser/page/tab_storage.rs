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

/// Whether a reload ended a temporary chat.
#[must_use]
pub fn ended_temporary() -> bool {
    session_storage().is_some_and(|storage| matches!(storage.get_item(TEMPORARY), Ok(Some(_))))
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
    PageAddress::parse(&path)?.chat()
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
