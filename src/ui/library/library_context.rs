//! The context of the library: the state that its tabs share.

use crate::browser::storage::{on_other_tab, on_write};
use leptos::prelude::*;
use leptos_use_timeout_fn::{UseTimeoutFnReturn, use_timeout_fn};
use sash_chat::{Id, Message};
use sash_search::{SearchHit, SearchQuery};
use sash_state::{PageLog, Stores};
use std::sync::Arc;

/// How long changes are collected before the library counts again, in milliseconds.
const RECOUNT_DELAY_MS: f64 = 100.0;

/// The library: the log it works on, and what its tabs say.
#[derive(Clone, Copy)]
pub struct LibraryContext {
    /// The page's stores.
    pub stores: Stores,
    /// Incremented some time after a write.
    pub changed: RwSignal<u32>,
    /// The text of the polite live region.
    pub status: RwSignal<String>,
    /// Increments `changed` after a while; does nothing while that is to come.
    recount: Callback<()>,
}

impl LibraryContext {
    /// A library that has read nothing yet.
    pub fn new(stores: Stores) -> Self {
        let changed = RwSignal::new(0_u32);
        let UseTimeoutFnReturn {
            is_pending, start, ..
        } = use_timeout_fn(
            move |()| changed.update(|n| *n = n.wrapping_add(1)),
            RECOUNT_DELAY_MS,
        );
        let recount = move |()| {
            if !is_pending.get_untracked() {
                start(());
            }
        };
        Self {
            stores,
            changed,
            status: RwSignal::new(String::new()),
            recount: Callback::new(recount),
        }
    }

    /// Starts to build the index of all chats, and to count again after writes, here and in other tabs.
    pub fn begin(self) {
        on_write(move |_, _| self.record_change());
        on_other_tab(move |_, _| self.record_change());
        self.stores.all_chats().begin();
    }

    /// Calls `f` with the page's log; `None` while the log is in use.
    pub fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        self.stores.storage().with_log(f)
    }

    /// Announces a text politely to screen readers.
    pub fn announce(self, text: &str) {
        self.status.set(text.to_owned());
    }

    /// The messages that contain all words of a query, newest first.
    pub fn search(self, query: &SearchQuery) -> Vec<SearchHit> {
        self.stores.all_chats().search(query)
    }

    /// A found message, read from the log.
    pub fn message(self, found: &SearchHit) -> Option<Message> {
        self.stores.all_chats().message(found.chat, found.message?)
    }

    /// The title of a chat.
    pub fn title(self, chat: Id) -> String {
        self.stores.chats().title_now(chat)
    }

    /// Closes the dialog and shows a found message at the words of the query.
    pub fn show(self, found: &SearchHit, query: Arc<SearchQuery>) {
        self.stores.view().all_chats.set(None);
        self.stores.all_chats().show(found, query);
    }

    /// Schedules another count.
    pub fn record_change(self) {
        self.recount.run(());
    }
}

/// The id of a tab's button.
pub fn tab_id(name: &str) -> String {
    format!("library-{name}")
}
