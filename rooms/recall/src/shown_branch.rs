//! The index of the branch that is shown, which offers and recall use. It is built in slices so that no keystroke waits for it.

use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use sash_chat::window::unmuted;
use sash_chat::{Chat, Id};
use sash_search::recall::RecallIndex;
use sash_stores::{Edges, Kernel, TimeBudget, uses};
use std::collections::BTreeSet;

/// The time budget of one slice of indexing, in milliseconds.
const SLICE_MS: f64 = 4.0;
/// Messages indexed between two checks of the clock.
const BATCH_MESSAGES: usize = 8;

/// Keeps the index of the shown branch.
#[derive(Clone, Copy)]
pub(crate) struct ShownBranch {
    edges: Edges,
    kernel: Kernel,
    branch: StoredValue<IndexedBranch, LocalStorage>,
}

/// A branch as far as it is indexed.
#[derive(Default)]
struct IndexedBranch {
    index: RecallIndex,
    /// The messages that were read, those without a text for the model included.
    seen: Vec<Id>,
}

uses!(ShownBranch.kernel: chats answers);

impl ShownBranch {
    /// An empty index.
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            edges: kernel.edges(),
            branch: StoredValue::new_local(IndexedBranch::default()),
        }
    }

    /// Indexes messages of the branch for at most one slice; another branch begins anew. Returns whether all of them are
    /// indexed.
    pub(crate) fn extend(self) -> bool {
        let budget = TimeBudget::new(self.edges, SLICE_MS);
        let here = self.edges.utc_offset();
        let open = self.chats().open_id_untracked();
        // The text of a running answer is not complete.
        let running = untrack(|| self.answers().running_in(open));
        let path = self.chats().path.get_untracked().into_iter();
        let path: Vec<Id> = path.take_while(|id| Some(*id) != running).collect();
        let done = self
            .branch
            .try_update_value(|IndexedBranch { index, seen }| {
                if !path.starts_with(seen) {
                    *index = RecallIndex::default();
                    seen.clear();
                }
                self.chats().open.with_untracked(|chat| {
                    for id in &path[seen.len()..] {
                        let is_batch = seen.len() % BATCH_MESSAGES == BATCH_MESSAGES - 1;
                        if is_batch && budget.is_over() {
                            return false;
                        }
                        seen.push(*id);
                        if let Some(message) = chat.get(*id).filter(|message| message.is_sendable())
                        {
                            let created = message.created.saturating_add_signed(here);
                            index.add(open, *id, &message.content, created);
                        }
                    }
                    true
                })
            });
        done.unwrap_or(true)
    }

    /// Calls `f` with the index as far as it is built.
    pub(crate) fn with<T>(self, f: impl FnOnce(&RecallIndex) -> T) -> T {
        self.branch.with_value(|branch| f(&branch.index))
    }
}

/// The messages of the shown branch that may go with a prompt outside the window: muted and failed messages may not, nor
/// calls and results of a muted question.
pub(crate) fn may_be_sent(chat: &Chat) -> BTreeSet<Id> {
    let unmuted = unmuted(&chat.path(), &chat.head.settings.mutes);
    unmuted.iter().map(|message| message.id).collect()
}
