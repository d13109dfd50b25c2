//! Shows what other tabs wrote.

use crate::answers::Answers;
use crate::base::Base;
use crate::chats::{ChatEvent, Chats};
use crate::drafts::Drafts;
use crate::edges::Edges;
use crate::remote_answers::RemoteAnswers;
use crate::storage::LogEvent;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_log::{DRAFT, FOLDER, Key, Log};
use sash_words::t;
use std::time::Duration;

/// How long changes of other tabs are collected before they are applied: an import writes thousands
/// of records.
const COLLECT_INTERVAL: Duration = Duration::from_millis(30);
/// Up to this many changed records are read one by one; above it, the whole chat is reloaded.
const MAX_SINGLE_READS: usize = 16;

/// Follows the changes of other tabs.
#[derive(Clone, Copy)]
pub struct Tabs {
    base: Base,
    edges: Edges,
    chats: StoredValue<Chats>,
    drafts: StoredValue<Drafts>,
    remote: StoredValue<RemoteAnswers>,
    answers: StoredValue<Answers>,
    /// The keys that other tabs changed since the last update.
    heard: StoredValue<Vec<Key>>,
}

uses!(Tabs.base: notices storage settings;
    chats: Chats, drafts: Drafts, remote: RemoteAnswers, answers: Answers);

impl Tabs {
    /// Creates the store. [`Kernel::start`](crate::Kernel::start) has it look for answers of other tabs; the page calls [`on_storage_event`](Self::on_storage_event).
    #[must_use]
    pub(crate) fn new(
        base: Base,
        chats: Chats,
        drafts: Drafts,
        remote: RemoteAnswers,
        answers: Answers,
    ) -> Self {
        let tabs = Self {
            base,
            edges: base.edges(),
            chats: StoredValue::new(chats),
            drafts: StoredValue::new(drafts),
            remote: StoredValue::new(remote),
            answers: StoredValue::new(answers),
            heard: StoredValue::new(Vec::new()),
        };
        chats.events().on(move |event| {
            if *event == ChatEvent::Opened {
                tabs.find_remote_answer();
            }
        });
        tabs
    }

    /// Handles that the site's data was cleared from outside.
    fn record_cleared(self) {
        self.storage().with_log(Log::forget_all);
        self.storage().state.update(|now| now.cleared = true);
        self.chats().refresh_list();
        self.storage().events().emit(&LogEvent::Cleared);
    }

    /// Checks whether another tab is answering in the open chat.
    pub(crate) fn find_remote_answer(self) {
        let answers = self.answers();
        self.remote().refresh(move |chat| answers.runs_in(chat));
    }

    fn record_remote(self, chat: Id) {
        if !self.answers().runs_in(chat) {
            self.remote().record(chat);
        }
    }

    /// Collects a key that another tab wrote or removed.
    pub fn on_storage_event(self, key: Option<&str>, there: bool) {
        let Some(key) = key else {
            self.record_cleared();
            return;
        };
        let parsed = self.storage().with_log(|log| log.key(key)).flatten();
        if there && matches!(parsed, Some(Key::Settings)) {
            self.settings().reload();
        }
        let chat = self
            .storage()
            .with_log(|log| log.on_storage_event(key, there))
            .flatten();
        if let Some(key) = parsed.filter(|key| key.chat() == chat) {
            self.storage().events().emit(&LogEvent::OtherTab(key));
        }
        if matches!(parsed, Some(Key::Record(FOLDER, _))) {
            self.chats().refresh_folders();
        }
        let Some(chat) = chat else {
            return;
        };
        match parsed {
            Some(Key::Record(DRAFT, _)) => {
                self.drafts().on_storage_event(chat);
                return;
            }
            // Who keeps other records heard of it from the log.
            Some(Key::Record(..)) => return,
            Some(Key::Tail(..)) if there => self.record_remote(chat),
            Some(Key::Message(..)) if there => self.remote().record_final(chat),
            _ => {}
        }
        let first = self.heard.try_update_value(|heard| {
            heard.extend(parsed);
            heard.len() == 1
        });
        if first == Some(true) {
            self.edges.after(COLLECT_INTERVAL, move || self.apply());
        }
    }

    /// Applies the collected changes.
    fn apply(self) {
        let heard = self.heard.try_update_value(std::mem::take);
        let heard = heard.unwrap_or_default();
        let open = self.chats().open_id_untracked();
        for key in &heard {
            if let Key::Removed(chat, message) = key {
                self.answers().stop_message(*chat, *message);
            }
        }
        let mut chats: Vec<Id> = Vec::new();
        for chat in heard.iter().filter_map(|key| key.chat()) {
            if !chats.contains(&chat) {
                chats.push(chat);
            }
        }
        for chat in &chats {
            if self.chats().is_gone(*chat) {
                // A deletion wins over a running answer's writes.
                self.answers().stop(*chat);
                if *chat == open {
                    self.chats().begin_chat();
                    self.notices().show(t!(state.deleted_in_another_tab));
                }
            } else if *chat == open {
                self.apply_to_open(&heard);
            }
        }
        // The end of an answer is its final record, and its tail that is removed.
        for key in &heard {
            if let Key::Message(chat, _, id) = key
                && heard
                    .iter()
                    .any(|k| matches!(k, Key::Tail(of, tail, _) if (of, tail) == (chat, id)))
            {
                self.chats().record_remote_finished(*chat);
            }
        }
        // A remote answer writes a tail piece each second, which does not change the list.
        let listed = |chat: Id| {
            let of = heard.iter().filter(|key| key.chat() == Some(chat));
            of.clone().any(|key| !matches!(key, Key::Tail(..)))
        };
        chats.retain(|chat| listed(*chat));
        let buried = heard.iter().any(|key| matches!(key, Key::Tombstone(_)));
        if chats.len() > MAX_SINGLE_READS || buried {
            self.chats().refresh_list();
        } else {
            chats
                .into_iter()
                .for_each(|chat| self.chats().refresh_chat(chat));
        }
        // Another tab's changes may have freed or used up space.
        let now = self.storage().state.get_untracked();
        if heard.len() > MAX_SINGLE_READS || now.waiting > 0 || now.percent >= 70 {
            self.storage().write_waiting();
        }
    }

    /// Updates the open chat from the changed records, one by one if they are few.
    fn apply_to_open(self, heard: &[Key]) {
        let open = self.chats().open_id_untracked();
        let of_open = || heard.iter().filter(|key| key.chat() == Some(open));
        let simple = |key: &Key| matches!(key, Key::Message(..) | Key::Tail(..));
        let is_large = of_open().count() > MAX_SINGLE_READS || !of_open().all(simple);
        if is_large || self.answers().runs_in(open) {
            return self.answers().reload_open();
        }
        for key in of_open() {
            if let Some(message) = self.storage().with_log(|log| log.message(*key)).flatten() {
                self.chats().show(open, [message]);
            }
        }
    }
}
