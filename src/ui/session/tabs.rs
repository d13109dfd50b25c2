//! Other tabs: what they wrote is shown here, and who answers in a chat is one of them at a time.

use super::{Session, Toast};
use crate::browser::{clock, lock, page, storage};
use leptos::prelude::*;
use sash_chat::Id;
use sash_log::Key;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long what other tabs write is collected: an import writes thousands of records.
const COLLECT: Duration = Duration::from_millis(30);
/// Up to so many records are read one by one, instead of all there are.
const FEW: usize = 16;
/// How long another tab may take to delete everything.
const GONE: Duration = Duration::from_secs(10);
/// Without Web Locks: an answer elsewhere of which nothing was heard for so long is not running.
const SILENT: Duration = Duration::from_secs(15);

/// An answer that another tab gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elsewhere {
    /// It holds the chat; otherwise nobody can know.
    locked: bool,
    /// When it was last heard of, on the monotonic clock in milliseconds.
    heard: f64,
}

impl Elsewhere {
    /// Whether the other tab holds the chat.
    pub(super) fn is_held(&self) -> bool {
        self.locked
    }
}

/// The name of a chat's lock.
fn lock_of(chat: Id) -> String {
    format!("sash:chat:{chat}")
}

impl Session {
    /// Takes in that another tab wrote a key, or removed it.
    pub(super) fn note_other_tab(self, key: Option<&str>, there: bool) {
        if key == Some(storage::DELETING) {
            // Nothing of what was deleted may stay on the screen either.
            let begin_anew = || {
                storage::forget_tab();
                page::reload();
            };
            match there {
                // Should the tab that deletes be closed before it is done, the next start finishes it.
                true => set_timeout(begin_anew, GONE),
                false => begin_anew(),
            }
        }
        if storage::is_closed() {
            return;
        }
        let Some(key) = key else {
            self.note_cleared();
            return;
        };
        let parsed = Key::parse(key);
        if there && matches!(parsed, Some(Key::Settings)) {
            self.take_settings();
        }
        let Some(chat) = self
            .with_log(|log| log.on_storage_event(key, there))
            .flatten()
        else {
            return;
        };
        match parsed {
            Some(Key::Draft(_)) => {
                self.hear_draft(chat);
                return;
            }
            Some(Key::Tail(..)) if there => self.note_elsewhere(chat),
            // Without locks this is how the end of an answer is heard of.
            Some(Key::Message(..)) if there => self.end_elsewhere(chat),
            _ => {}
        }
        let first = self.heard.try_update_value(|heard| {
            heard.extend(parsed);
            heard.len() == 1
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
        let mut chats: Vec<Id> = Vec::new();
        for chat in heard.iter().filter_map(|key| key.chat()) {
            if !chats.contains(&chat) {
                chats.push(chat);
            }
        }
        for chat in &chats {
            if self.is_gone(*chat) {
                // Deleting wins over writing.
                self.stop(*chat);
                if *chat == open {
                    self.begin_chat();
                    self.toast.set(Some(Toast {
                        text: "This chat was deleted in another tab".to_owned(),
                        undo: None,
                    }));
                }
            } else if *chat == open {
                self.take_in_open(&heard);
            }
        }
        // A running answer there writes a piece each second; the list does not show it.
        let listed = |chat: Id| {
            let of = heard.iter().filter(|key| key.chat() == Some(chat));
            of.clone().any(|key| !matches!(key, Key::Tail(..)))
        };
        chats.retain(|chat| listed(*chat));
        let buried = heard.iter().any(|key| matches!(key, Key::Tombstone(_)));
        if chats.len() > FEW || buried {
            self.refresh_lists();
        } else {
            chats.into_iter().for_each(|chat| self.refresh_chat(chat));
        }
        // There may be room again, or less of it.
        let now = self.storage.get_untracked();
        if heard.len() > FEW || now.waiting > 0 || now.percent >= 70 {
            self.note_room();
        }
    }

    /// Brings the open chat up to what was heard of it: record by record, where they are few.
    fn take_in_open(self, heard: &[Key]) {
        let open = self.open.with_untracked(|open| open.head.id);
        let of_open = || heard.iter().filter(|key| key.chat() == Some(open));
        let simple = |key: &Key| matches!(key, Key::Message(..) | Key::Tail(..));
        if self.answering.with_untracked(|all| all.contains_key(&open)) {
            // At its end: until then the branch that is being read stays, with the answer that runs in it.
            self.stale.set_value(true);
            return;
        }
        if of_open().count() > FEW || !of_open().all(simple) {
            self.reload_open();
            return;
        }
        for key in of_open() {
            if let Some(message) = self.with_log(|log| log.message(*key)).flatten() {
                self.open.update(|chat| chat.insert(message));
            }
        }
    }

    /// Whether another tab is answering in a chat.
    pub fn is_elsewhere(self, chat: Id) -> bool {
        self.elsewhere.with(|all| all.contains_key(&chat))
    }

    /// Whether another tab holds a chat while it answers.
    pub fn is_held(self, chat: Id) -> bool {
        let held = |all: &BTreeMap<Id, Elsewhere>| all.get(&chat).is_some_and(Elsewhere::is_held);
        self.elsewhere.with(held)
    }

    /// Takes note that another tab answers in a chat, until it is done.
    fn note_elsewhere(self, chat: Id) {
        if self.answering.with_untracked(|all| all.contains_key(&chat)) {
            return;
        }
        let heard = Elsewhere {
            locked: lock::exist(),
            heard: clock::monotonic(),
        };
        let former = self.elsewhere.with_untracked(|all| all.get(&chat).copied());
        if former.is_some_and(|former| former.locked) {
            return;
        }
        self.elsewhere.update(|all| _ = all.insert(chat, heard));
        if heard.locked {
            leptos::task::spawn_local(async move {
                lock::freed(&lock_of(chat)).await;
                self.end_elsewhere(chat);
            });
        } else {
            let silent = move || {
                let now = self.elsewhere.with_untracked(|all| all.get(&chat).copied());
                if now == Some(heard) {
                    self.end_elsewhere(chat);
                }
            };
            set_timeout(silent, SILENT);
        }
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
        // What runs here holds the chat itself.
        let runs_here = self.answering.with_untracked(|all| all.contains_key(&chat));
        if runs_here || !self.with_log(|log| log.has_tail(chat)).unwrap_or(false) {
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
