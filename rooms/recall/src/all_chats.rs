//! The page's one index: the library's search asks it, and what offers and recalls messages. It gets the branch that is
//! shown (`shown_branch`) when a draft is looked at, and all chats when they are first needed: in slices so short that they
//! delay no key press and no frame. Then it follows the log.

use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_search::recall::{RecallPrompt, Recalled};
use sash_search::{AllChatsIndex, SearchHit, SearchQuery};
use sash_stores::{ChatEvent, Edges, Kernel, LogEvent, PageLog, TimeBudget, uses};
use std::sync::Arc;
use std::time::Duration;

/// The longest slice in milliseconds; only unpacking a segment, which is done as a whole, may take longer.
const SLICE_MS: f64 = 5.0;
/// Report progress every 200 messages: what is searched for is searched again then.
const REPORT_MESSAGES: usize = 200;

/// How far the index is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexProgress {
    /// How many messages and titles can be found.
    pub messages: usize,
    /// Whether everything that is in the log now is indexed.
    pub is_complete: bool,
}

/// The index of the chats.
#[derive(Clone, Copy)]
pub struct AllChats {
    pub(crate) edges: Edges,
    kernel: Kernel,
    pub(crate) index: StoredValue<AllChatsIndex, LocalStorage>,
    /// Whether a slice is about to run. It is kept apart, because the log reports changes while the index reads it.
    is_due: StoredValue<bool>,
    /// How far it is built. What is found may differ after each change of this signal.
    pub progress: RwSignal<IndexProgress>,
    /// The message that a search found, and the words, until the page has led there.
    pub found: RwSignal<Option<(Id, Arc<SearchQuery>)>>,
}

uses!(AllChats.kernel: storage chats answers);

impl AllChats {
    /// An index that has read nothing yet.
    #[must_use]
    pub(crate) fn new(kernel: Kernel) -> Self {
        let storage = kernel.storage();
        let index = storage.with_log(AllChatsIndex::new);
        let store = Self {
            kernel,
            edges: kernel.edges(),
            index: StoredValue::new_local(index.unwrap_or_default()),
            is_due: StoredValue::new(false),
            progress: RwSignal::new(IndexProgress::default()),
            found: RwSignal::new(None),
        };
        storage.events().on(move |event| {
            if *event == LogEvent::Changed {
                store.run();
            }
        });
        kernel.chats().events().on(move |event| {
            if *event == ChatEvent::Left {
                store.forget_unstored();
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Shows a message that a search found, and leads to the words.
    pub fn show(self, found: &SearchHit, query: Arc<SearchQuery>) {
        let chats = self.chats();
        chats.show_message(found.chat, found.message);
        let is_shown = |id: &Id| chats.path.with_untracked(|path| path.contains(id));
        let message = found.message.filter(is_shown);
        self.found.set(message.map(|id| (id, query)));
    }

    /// Begins to read all chats. Does nothing the next time.
    pub fn begin(self) {
        let begins = self.chats().list.with_untracked(|list| {
            let chats = list.iter().map(|chat| chat.id);
            self.index.try_update_value(|index| index.read_all(chats))
        });
        if begins == Some(true) {
            self.run();
        }
    }

    /// Keeps no word of a chat that is being left and that is not stored: a temporary one, or one whose log was cleared.
    fn forget_unstored(self) {
        let open = self.chats().open_id_untracked();
        let is_stored = |log: &mut PageLog| log.chat_keys().contains_key(&open);
        if self.storage().with_log(is_stored) == Some(false) {
            self.index.update_value(|index| index.remove_chat(open));
            self.run();
        }
    }

    /// Works in slices until nothing is left to do.
    fn run(self) {
        let was_due = self
            .is_due
            .try_update_value(|is_due| std::mem::replace(is_due, true));
        if was_due == Some(false) {
            self.edges.after(Duration::ZERO, move || {
                self.is_due.set_value(false);
                if !self.work() {
                    self.run();
                }
            });
        }
    }

    /// Reads all chats for one slice. Returns whether nothing is left to do.
    pub(crate) fn extend(self) -> bool {
        self.begin();
        self.work()
    }

    /// Works for one slice. Returns whether nothing is left to do.
    fn work(self) -> bool {
        let budget = TimeBudget::new(self.edges, SLICE_MS);
        let utc_offset = self.edges.utc_offset();
        let (mut has_worked, mut is_complete) = (false, false);
        while !is_complete && (!has_worked || !budget.is_over()) {
            let step = self.with_index(|index, log| index.step(log, utc_offset));
            is_complete = step != Some(true);
            has_worked |= !is_complete;
        }
        let messages = self.with_index(|index, _| index.reads_all().then(|| index.len()));
        let Some(messages) = messages.flatten() else {
            return is_complete;
        };
        let former = self.progress.get_untracked();
        let many = messages.abs_diff(former.messages) >= REPORT_MESSAGES;
        if has_worked && (is_complete || many) || former.is_complete != is_complete {
            self.progress.set(IndexProgress {
                messages,
                is_complete,
            });
        }
        is_complete
    }

    /// The messages and titles that contain all words of a query, newest first, as far as the index is built.
    #[must_use]
    pub fn search(self, query: &SearchQuery) -> Vec<SearchHit> {
        let hits = self.with_index(|index, log| index.search(log, query));
        hits.unwrap_or_default()
    }

    /// The messages of all chats that fit a prompt, best first, as far as the index is built. Only those that pass `may`
    /// (chat, message) are returned.
    pub(crate) fn recall(
        self,
        prompt: RecallPrompt<'_>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Recalled> {
        let recalled = self.with_index(|index, _| index.recall(prompt, may));
        recalled.unwrap_or_default()
    }

    pub(crate) fn with_index<T>(
        self,
        read: impl FnOnce(&mut AllChatsIndex, &mut PageLog) -> T,
    ) -> Option<T> {
        let done = self
            .index
            .try_update_value(|index| self.storage().with_log(|log| read(index, log)));
        done.flatten()
    }
}
