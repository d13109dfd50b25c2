//! Other tabs: what they wrote is shown here, and who answers in a chat is one of them at a time.

use super::Session;
use crate::browser::lock;
use crate::chat::Id;
use crate::log::Key;
use leptos::prelude::*;
use litemap::LiteMap;
use std::time::Duration;

/// How long what other tabs write is collected: an import writes thousands of records.
const COLLECT: Duration = Duration::from_millis(30);
/// Without Web Locks: an answer elsewhere of which nothing was heard for so long is not running.
const SILENT: Duration = Duration::from_secs(15);

/// The name of a chat's lock.
fn lock_of(chat: Id) -> String {
    format!("sash:chat:{chat}")
}

impl Session {
    /// Takes in that another tab wrote a key, or removed it.
    pub(super) fn note_other_tab(self, key: Option<&str>, there: bool) {
        let Some(key) = key else {
            self.note_cleared();
            return;
        };
        let parsed = Key::parse(key);
        if there && matches!(parsed, Some(Key::Settings)) {
            // Changed there and written whole: what is written here next must have it.
            if let Some(settings) = self.with_log(|log| log.settings()) {
                self.settings.set(settings);
            }
        }
        let Some(chat) = self.with_log(|log| log.note(key, there)).flatten() else {
            return;
        };
        match parsed {
            Some(Key::Tail(..)) if there => self.note_elsewhere(chat),
            // Without locks this is how the end of an answer is heard of.
            Some(Key::Message(..)) if there => self.end_elsewhere(chat),
            _ => {}
        }
        // A running answer there writes a piece each second; the list does not show it.
        let listed = !matches!(parsed, Some(Key::Tail(..)));
        let first = self.heard.try_update_value(|heard| {
            let first = heard.is_empty();
            let before = heard.get(&chat).copied().unwrap_or(false);
            heard.insert(chat, before || listed);
            first
        });
        if first == Some(true) {
            set_timeout(move || self.take_in(), COLLECT);
        }
    }

    /// Shows what was heard of since the last time.
    fn take_in(self) {
        let heard = self.heard.try_update_value(std::mem::take);
        let heard = heard.unwrap_or_default();
        let open = self.open.with_untracked(|open| open.head.id);
        for chat in heard.keys().copied() {
            let is_running = self.answering.with_untracked(|all| all.contains_key(&chat));
            if self.is_gone(chat) {
                // Deleting wins over writing.
                self.stop(chat);
                if chat == open {
                    self.begin_chat();
                }
            } else if chat == open && !is_running {
                self.reload_open();
            }
        }
        if heard.values().any(|listed| *listed) {
            self.refresh_lists();
        }
    }

    /// Whether another tab is answering in a chat.
    pub fn is_elsewhere(self, chat: Id) -> bool {
        self.elsewhere.with(|all| all.contains_key(&chat))
    }

    /// Takes note that another tab answers in a chat, until it is done.
    fn note_elsewhere(self, chat: Id) {
        let known = self.elsewhere.with_untracked(|all| all.contains_key(&chat));
        if known || self.answering.with_untracked(|all| all.contains_key(&chat)) {
            return;
        }
        self.elsewhere.update(|all| _ = all.insert(chat, ()));
        leptos::task::spawn_local(async move {
            if lock::freed(&lock_of(chat)).await {
                self.end_elsewhere(chat);
            } else {
                set_timeout(move || self.end_elsewhere(chat), SILENT);
            }
        });
    }

    fn end_elsewhere(self, chat: Id) {
        if self.elsewhere.with_untracked(|all| all.contains_key(&chat)) {
            self.elsewhere.update(|all| _ = all.remove(&chat));
            if self.open.with_untracked(|open| open.head.id == chat) {
                self.reload_open();
            }
        }
    }

    /// Looks whether the open chat is being answered by another tab, where its log looks like that.
    pub(super) fn look_elsewhere(self) {
        let chat = self.open.with_untracked(|open| open.head.id);
        if !self.with_log(|log| log.has_tail(chat)).unwrap_or(false) {
            return;
        }
        leptos::task::spawn_local(async move {
            if lock::is_held(&lock_of(chat)).await {
                self.note_elsewhere(chat);
            }
        });
    }

    /// Ends the answer that another tab gives in a chat, so that this one can go on. What came is kept.
    pub fn take_over(self, chat: Id) {
        leptos::task::spawn_local(async move {
            lock::take_over(&lock_of(chat)).await;
            self.end_elsewhere(chat);
        });
    }

    /// Holds the chat for as long as its answer runs; another tab that takes it over stops the answer.
    pub(super) fn hold_chat(self, chat: Id) -> lock::Held {
        lock::hold(&lock_of(chat), move || self.stop(chat))
    }
}

/// The chats of which something was heard, and whether the list shows it.
pub(super) type Heard = LiteMap<Id, bool>;
