//! The index of the branch that is shown, which offers and recall use.

use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use sash_chat::window::unmuted;
use sash_chat::{Chat, Id};
use sash_search::recall::{BranchIndex, RecallIndex};
use sash_stores::{Edges, Kernel, uses};
use std::collections::BTreeSet;

/// The time budget of one slice of indexing, in milliseconds.
pub(crate) const SLICE_MS: f64 = 4.0;

/// Keeps the index of the shown branch.
#[derive(Clone, Copy)]
pub(crate) struct ShownBranch {
    edges: Edges,
    kernel: Kernel,
    index: StoredValue<BranchIndex, LocalStorage>,
}

uses!(ShownBranch.kernel: chats answers);

impl ShownBranch {
    /// An empty index.
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            edges: kernel.edges(),
            index: StoredValue::new_local(BranchIndex::default()),
        }
    }

    /// Indexes messages of the branch for at most one slice. Returns whether all of them are
    /// indexed.
    pub(crate) fn extend(self) -> bool {
        let until = self.edges.monotonic() + SLICE_MS;
        let here = self.edges.utc_offset();
        let mut path = self.chats().path.get_untracked();
        let open = self.chats().open_id_untracked();
        let running = untrack(|| self.answers().running_in(open));
        // The text of a running answer is not complete.
        path.truncate(
            path.iter()
                .position(|id| Some(*id) == running)
                .unwrap_or(path.len()),
        );
        let done = self.index.try_update_value(|index| {
            self.chats().open.with_untracked(|chat| {
                let text = |id| {
                    let message = chat.get(id).filter(|message| message.is_sendable())?;
                    let created = message.created.saturating_add_signed(here);
                    Some((&*message.content, created))
                };
                index.extend(open, &path, text, || self.edges.monotonic() > until)
            })
        });
        done.unwrap_or(true)
    }

    /// Calls `f` with the index as far as it is built.
    pub(crate) fn with<T>(self, f: impl FnOnce(&RecallIndex) -> T) -> T {
        self.index.with_value(|branch| f(branch.index()))
    }
}

/// The messages of the shown branch that may go with a prompt outside the window: muted and failed messages may not, nor
/// calls and results of a muted question.
pub(crate) fn may_be_sent(chat: &Chat) -> BTreeSet<Id> {
    let unmuted = unmuted(&chat.path(), &chat.head.settings.mutes);
    unmuted.iter().map(|message| message.id).collect()
}
