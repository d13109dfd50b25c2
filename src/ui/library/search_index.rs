//! The search index: built in slices so short that they delay no key press and no frame, and updated by
//! writes here and in other tabs.

use crate::browser::clock;
use leptos::prelude::*;
use sash_chat::{Id, Message};
use sash_log::Key;
use sash_search::{Found, MessageIndex, Query};
use sash_state::Storage;
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest slice in milliseconds; only unpacking a segment, which is done as a whole, may take longer.
const SLICE_MS: f64 = 6.0;
/// Report progress every 12 slices.
const REPORT_SLICES: u32 = 12;
/// How many unpacked segments are cached for the texts of results.
const CACHED_SEGMENTS: usize = 12;

/// A record to be indexed.
#[derive(Clone, Copy, Debug)]
enum IndexTask {
    /// The title of a chat, if the person gave it one.
    Title(Id),
    /// The messages of a record.
    Read(Key),
}

#[derive(Default)]
struct IndexState {
    index: MessageIndex,
    begun: bool,
    todo: Vec<IndexTask>,
    /// The segment or tail that holds each message without a record of its own.
    elsewhere: BTreeMap<(Id, Id), Key>,
    /// The `seq` of each other message.
    seqs: BTreeMap<(Id, Id), u32>,
    /// The segments that were unpacked last.
    unpacked: Vec<(Key, Vec<Message>)>,
    running: bool,
    slices: u32,
}

/// The index of all messages, and its progress.
#[derive(Clone, Copy)]
pub struct SearchIndex {
    storage: &'static Storage,
    state: StoredValue<IndexState, LocalStorage>,
    /// The number of indexed messages and titles, and whether more are to come.
    pub progress: RwSignal<(usize, bool)>,
}

impl SearchIndex {
    /// An empty index of the log.
    pub fn new(storage: &'static Storage) -> Self {
        Self {
            storage,
            state: StoredValue::new_local(IndexState::default()),
            progress: RwSignal::new((0, true)),
        }
    }

    /// Starts to build the index, unless that was done before; most recently written chats first.
    pub fn begin(self) {
        let begun = self
            .state
            .try_update_value(|state| std::mem::replace(&mut state.begun, true));
        if begun != Some(false) {
            return;
        }
        let chats = self
            .storage
            .with_log(|log| log.summaries())
            .unwrap_or_default();
        for summary in chats.iter().rev() {
            self.queue_chat(summary.id);
        }
        self.run();
    }

    fn queue_chat(self, chat: Id) {
        let keys = self
            .storage
            .with_log(|log| log.contents(chat))
            .unwrap_or_default();
        self.state.update_value(|state| {
            // Tasks are taken from the end.
            state
                .todo
                .extend(keys.into_iter().rev().map(IndexTask::Read));
            state.todo.push(IndexTask::Title(chat));
        });
    }

    /// Clears the index after everything was deleted.
    pub fn forget_all(self) {
        self.state.set_value(IndexState::default());
        self.begin();
    }

    /// Records that a key was written or removed.
    pub fn note_write(self, key: Key, there: bool) {
        let begun = self.state.try_update_value(|state| {
            if !state.begun {
                return false;
            }
            match (key, there) {
                (Key::Head(chat), true) => state.todo.push(IndexTask::Title(chat)),
                (Key::Message(..), true) => state.todo.push(IndexTask::Read(key)),
                (Key::Segment(..), true) => {
                    state.unpacked.clear();
                    state.todo.push(IndexTask::Read(key));
                }
                (Key::Message(chat, _, id), false) => _ = state.seqs.remove(&(chat, id)),
                (Key::Removed(chat, id), true) => state.index.remove(chat, Some(id)),
                (Key::Tombstone(chat), true) => state.index.remove_chat(chat),
                _ => {}
            }
            true
        });
        if begun != Some(true) {
            return;
        }
        if let (Key::Tombstone(chat) | Key::Removed(chat, _), false) = (key, there) {
            self.queue_chat(chat);
        }
        self.run();
    }

    /// Works in slices until no task is left.
    fn run(self) {
        let start = self
            .state
            .try_update_value(|state| !std::mem::replace(&mut state.running, true));
        if start == Some(true) {
            set_timeout(move || self.slice(), Duration::ZERO);
        }
    }

    fn slice(self) {
        let until = clock::monotonic() + SLICE_MS;
        let mut more = true;
        while more && clock::monotonic() < until {
            let next = self
                .state
                .try_update_value(|state| state.todo.pop())
                .flatten();
            match next {
                Some(work) => self.work(work),
                None => more = false,
            }
        }
        let progress = self.state.try_update_value(|state| {
            state.running = more;
            state.slices = state.slices.wrapping_add(1);
            let report = !more || state.slices.is_multiple_of(REPORT_SLICES);
            report.then(|| (state.index.len(), more))
        });
        if let Some(progress) = progress.flatten() {
            self.progress.set(progress);
        }
        if more {
            set_timeout(move || self.slice(), Duration::ZERO);
        }
    }

    fn work(self, work: IndexTask) {
        match work {
            IndexTask::Title(chat) => {
                let gone = self.storage.with_log(|log| log.is_deleted(chat));
                let head = self.storage.with_log(|log| log.head(chat)).flatten();
                self.state
                    .update_value(|state| match head.filter(|_| gone == Some(false)) {
                        Some(head) if head.title.is_some() => {
                            let title = head.title.unwrap_or_default();
                            state.index.add(chat, None, head.created, &title);
                        }
                        _ => state.index.remove(chat, None),
                    });
            }
            IndexTask::Read(key) => {
                let read = self.storage.with_log(|log| {
                    let chat = key.chat().filter(|chat| !log.is_deleted(*chat))?;
                    let mut messages = log.messages_at(key);
                    messages.retain(|m| !log.is_removed(chat, m.id));
                    Some((chat, messages))
                });
                let Some((chat, messages)) = read.flatten() else {
                    return;
                };
                self.state.update_value(|state| {
                    for message in messages {
                        let name = (chat, message.id);
                        match key {
                            Key::Message(..) => _ = state.seqs.insert(name, message.seq),
                            _ => _ = state.elsewhere.insert(name, key),
                        }
                        // A message never changes, but an interrupted answer may be complete now.
                        let known = state.index.contains(chat, Some(message.id));
                        if !known || matches!(key, Key::Message(..)) {
                            state.index.add(
                                chat,
                                Some(message.id),
                                message.created,
                                &message.content,
                            );
                        }
                    }
                });
            }
        }
    }

    /// The results of a query, newest first.
    pub fn search(self, query: &Query) -> Vec<Found> {
        let found = self.state.try_update_value(|state| {
            let index = std::mem::take(&mut state.index);
            let found = index.search(query, &mut |found| {
                let message = text_of(state, self.storage, found)?;
                Some(message.content)
            });
            state.index = index;
            found
        });
        found.unwrap_or_default()
    }

    /// A found message, read from the log.
    pub fn message(self, found: &Found) -> Option<Message> {
        self.state
            .try_update_value(|state| text_of(state, self.storage, found))
            .flatten()
    }
}

fn text_of(state: &mut IndexState, storage: &Storage, found: &Found) -> Option<Message> {
    let id = found.message?;
    let name = (found.chat, id);
    let read = |key: Key| {
        storage
            .with_log(|log| log.messages_at(key))
            .unwrap_or_default()
    };
    if let Some(seq) = state.seqs.get(&name) {
        return read(Key::Message(found.chat, *seq, id)).pop();
    }
    let key = *state.elsewhere.get(&name)?;
    if !state.unpacked.iter().any(|(known, _)| *known == key) {
        state.unpacked.truncate(CACHED_SEGMENTS - 1);
        state.unpacked.insert(0, (key, read(key)));
    }
    let (_, messages) = state.unpacked.iter().find(|(known, _)| *known == key)?;
    messages.iter().find(|m| m.id == id).cloned()
}
