//! The index of the branch that is shown, built in slices so that no keystroke waits for it.

use crate::answers::Answers;
use crate::chats::Chats;
use crate::edges::Edges;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Message};
use sash_search::recall::RecallIndex;

/// The time budget of one slice of indexing, in milliseconds.
pub(crate) const SLICE_MS: f64 = 4.0;
/// Messages indexed between two checks of the clock.
const BATCH_MESSAGES: usize = 8;

/// The index of the shown branch, which offers and recall use.
#[derive(Clone, Copy)]
pub(crate) struct BranchIndex {
    edges: Edges,
    chats: &'static Chats,
    answers: &'static Answers,
    known: StoredValue<Indexed, LocalStorage>,
}

#[derive(Default)]
struct Indexed {
    index: RecallIndex,
    /// The messages of the branch that are indexed.
    seen: Vec<Id>,
}

impl BranchIndex {
    /// An empty index.
    pub(crate) fn new(edges: Edges, chats: &'static Chats, answers: &'static Answers) -> Self {
        Self {
            edges,
            chats,
            answers,
            known: StoredValue::new_local(Indexed::default()),
        }
    }

    /// Indexes messages of the branch for at most one slice. Returns whether all of them are
    /// indexed.
    pub(crate) fn extend(self) -> bool {
        let until = self.edges.monotonic() + SLICE_MS;
        let here = self.edges.utc_offset();
        let path = self.chats.path.get_untracked();
        let open = self.chats.open_id_untracked();
        let running = self
            .answers
            .answering
            .with_untracked(|all| all.get(&open).copied());
        let done = self.known.try_update_value(|known| {
            if !path.starts_with(&known.seen) {
                *known = Indexed::default();
            }
            self.chats.open.with_untracked(|chat| {
                for id in &path[known.seen.len()..] {
                    // The text of a running answer is not complete.
                    if Some(*id) == running {
                        break;
                    }
                    if known.seen.len() % BATCH_MESSAGES == BATCH_MESSAGES - 1
                        && self.edges.monotonic() > until
                    {
                        return false;
                    }
                    known.seen.push(*id);
                    if let Some(message) = chat.get(*id).filter(|m| m.is_sendable()) {
                        let created = message.created.saturating_add_signed(here);
                        known.index.add(open, *id, &message.content, created);
                    }
                }
                true
            })
        });
        done.unwrap_or(true)
    }

    /// Calls `f` with the index as far as it is built.
    pub(crate) fn with<T>(self, f: impl FnOnce(&RecallIndex) -> T) -> T {
        self.known.with_value(|known| f(&known.index))
    }
}

/// Whether a message outside the window may go with a prompt: muted and failed messages may not.
pub(crate) fn may_be_sent(chat: &Chat, id: Id) -> bool {
    !chat.head.settings.mutes.contains(&id) && chat.get(id).is_some_and(Message::is_sendable)
}
