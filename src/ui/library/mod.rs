//! The library: everything about all chats at once. Search, trash, storage, packing, export and import, in one dialog.

mod confirm;
mod dialog;
mod export;
mod gauge;
mod import;
mod indexing;
mod result;
mod search;
mod sizes;
mod storage;
mod transfer;
mod trash;

use super::dom::{El, live};
use super::session::{LibraryTab, PageLog, Session};
use crate::browser::storage::{on_other_tab, on_write};
use indexing::Indexing;
use leptos::prelude::*;
use sash_log::Key;
use std::cell::Cell;
use std::time::Duration;

/// How long what is written is collected before it is counted.
const COLLECT: Duration = Duration::from_millis(100);

/// What its rooms share. Copy it freely.
#[derive(Clone, Copy)]
pub struct Library {
    session: Session,
    /// The tab that is shown; none: the dialog is closed.
    tab: RwSignal<Option<LibraryTab>>,
    indexing: Indexing,
    /// Goes up some time after anything was written.
    changed: RwSignal<u32>,
    /// Said politely by a screen reader.
    status: RwSignal<String>,
}

/// The dialog. Nothing is read for it before it is opened for the first time.
pub fn library_dialog(session: Session) -> El {
    let library = Library {
        session,
        tab: session.library_tab,
        indexing: Indexing::new(),
        changed: RwSignal::new(0),
        status: RwSignal::new(String::new()),
    };
    let begun = Cell::new(false);
    live(move || {
        if library.tab.get().is_some() && !begun.replace(true) {
            untrack(|| library.begin());
        }
    });
    dialog::dialog(library)
}

impl Library {
    /// Begins to build the index, and to follow what is written, here and in other tabs.
    fn begin(self) {
        on_write(move |key, there| self.hear(Some(key), there));
        on_other_tab(move |key, there| self.hear(key, there));
        self.indexing.begin(self);
    }

    fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        self.session.with_log(f)
    }

    /// Says something politely.
    fn say(self, text: &str) {
        self.status.set(text.to_owned());
    }

    /// Takes in that a key was written or removed, here or in another tab; with none that all was cleared. The log has it
    /// already.
    fn hear(self, key: Option<&str>, there: bool) {
        match key.map(Key::parse) {
            None => self.indexing.forget_all(self),
            Some(Some(key)) => self.indexing.hear(self, key, there),
            Some(None) => {}
        }
        self.note_change();
    }

    /// Has what is counted be counted again, soon.
    fn note_change(self) {
        thread_local! {
            static COMING: Cell<bool> = const { Cell::new(false) };
        }
        if !COMING.replace(true) {
            let tell = move || {
                COMING.set(false);
                self.changed.update(|n| *n = n.wrapping_add(1));
            };
            set_timeout(tell, COLLECT);
        }
    }
}
