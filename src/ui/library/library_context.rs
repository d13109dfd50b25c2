//! The context of the library: the state that its tabs share.

use super::search_index::SearchIndex;
use crate::browser::storage::{on_other_tab, on_write};
use leptos::prelude::*;
use sash_chat::{Id, Message};
use sash_log::Key;
use sash_search::{Found, Query};
use sash_state::{LibraryTab, PageLog, Stores};
use std::cell::Cell;
use std::time::Duration;

/// How long changes are collected before the library counts again.
const RECOUNT_DELAY: Duration = Duration::from_millis(100);

/// The library: the shown tab, the search index, and the log it works on.
#[derive(Clone, Copy)]
pub struct LibraryContext {
    /// The page's stores.
    pub stores: Stores,
    /// The shown tab; `None` while the dialog is closed.
    pub tab: RwSignal<Option<LibraryTab>>,
    /// The index of the search.
    pub index: SearchIndex,
    /// Incremented some time after a write.
    pub changed: RwSignal<u32>,
    /// The text of the polite live region.
    pub status: RwSignal<String>,
}

impl LibraryContext {
    /// A library that has read nothing yet.
    pub fn new(stores: Stores) -> Self {
        Self {
            stores,
            tab: stores.library.tab,
            index: SearchIndex::new(stores.storage),
            changed: RwSignal::new(0),
            status: RwSignal::new(String::new()),
        }
    }

    /// Starts to build the index and to follow writes, here and in other tabs.
    pub fn begin(self) {
        on_write(move |key, there| self.note_write(Some(key), there));
        on_other_tab(move |key, there| self.note_write(key, there));
        self.index.begin();
    }

    /// Calls `f` with the page's log; `None` while the log is in use.
    pub fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        self.stores.storage.with_log(f)
    }

    /// Announces a text politely to screen readers.
    pub fn announce(self, text: &str) {
        self.status.set(text.to_owned());
    }

    /// The messages that contain all words of a query, newest first.
    pub fn search(self, query: &Query) -> Vec<Found> {
        self.index.search(query)
    }

    /// A found message, read from the log.
    pub fn message(self, found: &Found) -> Option<Message> {
        self.index.message(found)
    }

    /// The title of a chat.
    pub fn title(self, chat: Id) -> Option<String> {
        let summary = self.with_log(|log| log.summary(chat)).flatten();
        summary.map(|summary| summary.title)
    }

    /// Closes the dialog and shows a found message.
    pub fn show(self, found: &Found) {
        self.tab.set(None);
        self.stores.chats.show_message(found.chat, found.message);
    }

    /// Records that a key was written or removed, here or in another tab; without a key, that everything was
    /// cleared. The log has the change already.
    fn note_write(self, key: Option<&str>, there: bool) {
        match key.map(Key::parse) {
            None => self.index.forget_all(),
            Some(Some(key)) => self.index.note_write(key, there),
            Some(None) => {}
        }
        self.note_change();
    }

    /// Schedules another count.
    pub fn note_change(self) {
        thread_local! {
            static COMING: Cell<bool> = const { Cell::new(false) };
        }
        if !COMING.replace(true) {
            let tell = move || {
                COMING.set(false);
                self.changed.update(|n| *n = n.wrapping_add(1));
            };
            set_timeout(tell, RECOUNT_DELAY);
        }
    }
}
