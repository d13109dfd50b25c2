//! The branch that is shown, which offers and recall look through. It gets into the index in slices so that no keystroke waits
//! for it.

use crate::AllChats;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::unmuted;
use sash_chat::{Chat, Id};
use sash_search::recall::RecallScope;
use sash_stores::TimeBudget;
use std::collections::BTreeSet;

/// The time budget of one slice of indexing, in milliseconds.
const SLICE_MS: f64 = 4.0;

impl AllChats {
    /// Indexes messages of the branch for at most one slice. Returns whether all of them are indexed.
    pub(crate) fn extend_branch(self) -> bool {
        let budget = TimeBudget::new(self.edges, SLICE_MS);
        let utc_offset = self.edges.utc_offset();
        let open = self.chats().open_id_untracked();
        let path = self.branch_of(open);
        let done = self.with_index(|index, log| {
            self.chats().open.with_untracked(|chat| {
                for message in path.filter_map(|id| chat.get(id)) {
                    if index.add_shown(log, open, message, utc_offset) && budget.is_over() {
                        return false;
                    }
                }
                true
            })
        });
        done.unwrap_or(true)
    }

    /// Reads the messages of the branch of the open chat, as far as they are indexed.
    pub(crate) fn in_branch<T>(self, open: Id, read: impl FnOnce(&RecallScope<'_>) -> T) -> T {
        let path = self.branch_of(open);
        self.index
            .with_value(|index| read(&index.branch(open, path)))
    }

    /// The messages of the branch. The text of a running answer is not complete, so it is left out.
    fn branch_of(self, open: Id) -> impl Iterator<Item = Id> {
        let running = untrack(|| self.answers().running_in(open));
        let path = self.chats().path.get_untracked().into_iter();
        path.take_while(move |id| Some(*id) != running)
    }
}

/// The messages of the shown branch that may go with a prompt outside the window: muted and failed messages may not, nor
/// calls and results of a muted question.
pub(crate) fn may_be_sent(chat: &Chat) -> BTreeSet<Id> {
    let unmuted = unmuted(&chat.path(), &chat.head.settings.mutes);
    unmuted.iter().map(|message| message.id).collect()
}
