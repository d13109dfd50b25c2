//! The index of the search: built in slices so short that no key and no frame waits for one, and kept in step
//! with what is written, here and in other tabs.

use super::Library;
use crate::browser::clock;
use leptos::prelude::*;
use sash_chat::{Id, Message};
use sash_log::Key;
use sash_search::{Found, Index, Query};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a slice may take, in milliseconds; a segment is unpacked whole.
const SLICE: f64 = 6.0;
/// Slices between two looks of who waits for it.
const TELL: u32 = 12;
/// Unpacked segments that are kept for the texts of results.
const KEPT: usize = 12;

/// A piece of work.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// A chat's title, where the person gave it one.
    Title(Id),
    /// What stands under a key.
    Read(Key),
}

#[derive(Default)]
struct State {
    index: Index,
    begun: bool,
    todo: Vec<Work>,
    /// Where messages are that have no record of their own: in which segment, or in the tail.
    elsewhere: BTreeMap<(Id, Id), Key>,
    /// Where the others are.
    seqs: BTreeMap<(Id, Id), u32>,
    /// Segments that were unpacked last.
    unpacked: Vec<(Key, Vec<Message>)>,
    running: bool,
    slices: u32,
}

/// The index, and how far it is.
#[derive(Clone, Copy)]
pub struct Indexing {
    state: StoredValue<State, LocalStorage>,
    /// Messages and titles that are in it, and whether there is more to come.
    pub progress: RwSignal<(usize, bool)>,
}

impl Indexing {
    pub fn new() -> Self {
        Self {
            state: StoredValue::new_local(State::default()),
            progress: RwSignal::new((0, true)),
        }
    }

    /// Begins to build it, if that was not done yet: the chats touched last first.
    pub fn begin(self, library: Library) {
        let begun = self
            .state
            .try_update_value(|state| std::mem::replace(&mut state.begun, true));
        if begun != Some(false) {
            return;
        }
        let chats = library.with_log(|log| log.summaries()).unwrap_or_default();
        for summary in chats.iter().rev() {
            self.queue_chat(library, summary.id);
        }
        self.run(library);
    }

    fn queue_chat(self, library: Library, chat: Id) {
        let keys = library
            .with_log(|log| log.contents(chat))
            .unwrap_or_default();
        self.state.update_value(|state| {
            // The last is taken first.
            state.todo.extend(keys.into_iter().rev().map(Work::Read));
            state.todo.push(Work::Title(chat));
        });
    }

    /// Everything is gone.
    pub fn forget_all(self, library: Library) {
        self.state.set_value(State::default());
        self.begin(library);
    }

    /// Takes in that a key was written or removed.
    pub fn hear(self, library: Library, key: Key, there: bool) {
        let begun = self.state.try_update_value(|state| {
            if !state.begun {
                return false;
            }
            match (key, there) {
                (Key::Head(chat), true) => state.todo.push(Work::Title(chat)),
                (Key::Message(..), true) => state.todo.push(Work::Read(key)),
                (Key::Segment(..), true) => {
                    state.unpacked.clear();
                    state.todo.push(Work::Read(key));
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
            self.queue_chat(library, chat);
        }
        self.run(library);
    }

    /// Works on, a slice at a time, until nothing is left to do.
    fn run(self, library: Library) {
        let start = self
            .state
            .try_update_value(|state| !std::mem::replace(&mut state.running, true));
        if start == Some(true) {
            set_timeout(move || self.slice(library), Duration::ZERO);
        }
    }

    fn slice(self, library: Library) {
        let until = clock::monotonic() + SLICE;
        let mut more = true;
        while more && clock::monotonic() < until {
            let next = self
                .state
                .try_update_value(|state| state.todo.pop())
                .flatten();
            match next {
                Some(work) => self.work(library, work),
                None => more = false,
            }
        }
        let told = self.state.try_update_value(|state| {
            state.running = more;
            state.slices = state.slices.wrapping_add(1);
            let tell = !more || state.slices.is_multiple_of(TELL);
            tell.then(|| (state.index.len(), more))
        });
        if let Some(progress) = told.flatten() {
            self.progress.set(progress);
        }
        if more {
            set_timeout(move || self.slice(library), Duration::ZERO);
        }
    }

    fn work(self, library: Library, work: Work) {
        match work {
            Work::Title(chat) => {
                let gone = library.with_log(|log| log.is_deleted(chat));
                let head = library.with_log(|log| log.head(chat)).flatten();
                self.state
                    .update_value(|state| match head.filter(|_| gone == Some(false)) {
                        Some(head) if head.title.is_some() => {
                            let title = head.title.unwrap_or_default();
                            state.index.add(chat, None, head.created, &title);
                        }
                        _ => state.index.remove(chat, None),
                    });
            }
            Work::Read(key) => {
                let read = library.with_log(|log| {
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
                        // A message never changes; but an answer that was interrupted may be whole now.
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

    /// What is found, the newest first.
    pub fn search(self, library: Library, query: &Query) -> Vec<Found> {
        let found = self.state.try_update_value(|state| {
            let index = std::mem::take(&mut state.index);
            let found = index.search(query, &mut |found| {
                let message = text_of(state, library, found)?;
                Some(message.content)
            });
            state.index = index;
            found
        });
        found.unwrap_or_default()
    }

    /// A message that was found, as the log has it.
    pub fn message(self, library: Library, found: &Found) -> Option<Message> {
        self.state
            .try_update_value(|state| text_of(state, library, found))
            .flatten()
    }
}

fn text_of(state: &mut State, library: Library, found: &Found) -> Option<Message> {
    let id = found.message?;
    let name = (found.chat, id);
    let read = |key: Key| {
        library
            .with_log(|log| log.messages_at(key))
            .unwrap_or_default()
    };
    if let Some(seq) = state.seqs.get(&name) {
        return read(Key::Message(found.chat, *seq, id)).pop();
    }
    let key = *state.elsewhere.get(&name)?;
    if !state.unpacked.iter().any(|(known, _)| *known == key) {
        state.unpacked.truncate(KEPT - 1);
        state.unpacked.insert(0, (key, read(key)));
    }
    let (_, messages) = state.unpacked.iter().find(|(known, _)| *known == key)?;
    messages.iter().find(|m| m.id == id).cloned()
}
