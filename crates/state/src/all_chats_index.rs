//! The index of the messages of all chats, for chats that recall from all of them. It is built in slices when it is
//! first needed, and again after the list of chats changed.

use crate::branch_index::SLICE_MS;
use crate::chats::Chats;
use crate::edges::Edges;
use crate::storage::Storage;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_search::recall::{RecallIndex, Recalled};
use std::collections::{BTreeMap, VecDeque};

/// The index of all chats.
#[derive(Clone, Copy)]
pub(crate) struct AllChatsIndex {
    edges: Edges,
    storage: &'static Storage,
    chats: &'static Chats,
    known: StoredValue<Indexed, LocalStorage>,
}

#[derive(Default)]
struct Indexed {
    index: RecallIndex,
    /// The chats that are indexed, with the time of their newest message.
    chats: BTreeMap<Id, u64>,
    /// The chats that are still to be read.
    left: VecDeque<Id>,
}

impl AllChatsIndex {
    /// An empty index.
    pub(crate) fn new(edges: Edges, storage: &'static Storage, chats: &'static Chats) -> Self {
        Self {
            edges,
            storage,
            chats,
            known: StoredValue::new_local(Indexed::default()),
        }
    }

    /// Indexes chats for at most one slice, at least one chat, which is read as a whole. Returns whether all of them are indexed.
    pub(crate) fn extend(self) -> bool {
        let open = self.chats.open_id_untracked();
        let listed = self.chats.touched_times();
        let here = self.edges.utc_offset();
        let until = self.edges.monotonic() + SLICE_MS;
        let done = self.known.try_update_value(|known| {
            // The open chat changes with every message, and the index of its branch is used for it.
            let changed = |(id, touched)| id != &open && known.chats.get(id) != Some(touched);
            if listed.iter().any(changed) {
                *known = Indexed {
                    left: listed.keys().copied().collect(),
                    chats: listed,
                    ..Indexed::default()
                };
            }
            while let Some(id) = known.left.pop_front() {
                let chat = self.storage.with_log(|log| log.load_unpacked(id)).flatten();
                for message in chat.iter().flat_map(|chat| chat.messages()) {
                    if message.is_sendable() {
                        let created = message.created.saturating_add_signed(here);
                        known.index.add(id, message.id, &message.content, created);
                    }
                }
                if self.edges.monotonic() > until {
                    break;
                }
            }
            known.left.is_empty()
        });
        done.unwrap_or(true)
    }

    /// The messages of other chats that fit a prompt, best first, as far as the index is built.
    pub(crate) fn recall(self, prompt: &str, may: &dyn Fn(Id) -> bool) -> Vec<Recalled> {
        let (open, listed) = (self.chats.open_id_untracked(), self.chats.touched_times());
        let may =
            |chat: Id, message: Id| chat != open && listed.contains_key(&chat) && may(message);
        self.known
            .with_value(|known| known.index.recall(prompt, &may))
    }
}
