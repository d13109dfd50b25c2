//! The library: everything about all chats at once that is not needed at first. Search, trash, storage,
//! packing, export and import, in one dialog. It is a program of its own (`src/bin/library.rs`), with a log of its
//! own; see [`crate::browser::library`] for how it and the page keep in step.

mod confirm;
mod dialog;
mod export;
mod gauge;
mod import;
mod indexing;
mod packing;
mod result;
mod search;
mod sizes;
mod storage;
mod transfer;
mod trash;

use super::dom::live;
use crate::browser::journal::BrowserJournal;
use crate::browser::library::{on_page_wrote, tell_page};
use crate::browser::storage::{BrowserStore, is_there, on_other_tab};
use crate::browser::{ids, page};
use dialog::{Tab, dialog};
use indexing::Indexing;
use leptos::prelude::*;
use sash_chat::Id;
use sash_log::{Journaled, Key, Log, MemoryStore, Store};
use std::cell::Cell;
use std::time::Duration;

/// The library's own log.
type OwnLog = Log<Box<dyn Store>>;

/// How long what is written elsewhere is collected before it is counted.
const COLLECT: Duration = Duration::from_millis(100);

/// What its rooms share. Copy it freely.
#[derive(Clone, Copy)]
pub struct Library {
    log: StoredValue<OwnLog, LocalStorage>,
    /// The tab that is shown; none: the dialog is closed.
    tab: RwSignal<Option<Tab>>,
    indexing: Indexing,
    /// Goes up some time after anything was written.
    changed: RwSignal<u32>,
    /// Said politely by a screen reader.
    status: RwSignal<String>,
}

thread_local! {
    static STARTED: Cell<Option<Library>> = const { Cell::new(None) };
}

/// The one library of this page, started when it is first asked for.
fn started() -> Option<Library> {
    if STARTED.get().is_none() {
        console_error_panic_hook::set_once();
        // Leptos sets up its runtime and the root owner; the dialog is ours.
        leptos::mount::mount_to_body(|| STARTED.set(Some(Library::start())));
    }
    STARTED.get()
}

/// Opens the dialog at a tab.
pub fn open(tab: &str) {
    if let Some(library) = started() {
        library.indexing.begin(library);
        library.tab.set(Some(Tab::named(tab)));
    }
}

/// The packed messages of a chat, each as it was written, one a line.
#[must_use]
pub fn unpack(chat: &str) -> String {
    let lines = started().zip(chat.parse::<Id>().ok());
    let lines = lines.and_then(|(library, chat)| library.with_log(|log| log.unpack_payloads(chat)));
    lines.unwrap_or_default().join("\n")
}

/// Packs chats that nobody touched for a month. What there is to say of it, if anything.
pub async fn tidy() -> Option<String> {
    packing::tidy(started()?).await
}

impl Library {
    fn start() -> Self {
        let library = Self {
            log: StoredValue::new_local(open_log()),
            tab: RwSignal::new(None),
            indexing: Indexing::new(),
            changed: RwSignal::new(0),
            status: RwSignal::new(String::new()),
        };
        on_page_wrote(move |key| {
            let there = is_there(key);
            library.hear(Some(key), there);
        });
        // What this program writes comes by here too, as soon as it is written.
        on_other_tab(move |key, there| library.hear(key, there));
        page::put_into_body(&dialog(library).element());
        library
    }

    fn with_log<T>(self, f: impl FnOnce(&mut OwnLog) -> T) -> Option<T> {
        self.log.try_update_value(f)
    }

    /// Says something politely.
    fn say(self, text: &str) {
        self.status.set(text.to_owned());
    }

    /// Takes in that the page or another tab wrote a key, or removed it; with none that all was cleared.
    fn hear(self, key: Option<&str>, there: bool) {
        match key {
            None => {
                self.with_log(Log::forget_all);
                self.indexing.forget_all(self);
            }
            Some(key) => {
                self.with_log(|log| log.note(key, there));
                if let Some(key) = Key::parse(key) {
                    self.indexing.hear(self, key, there);
                }
            }
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

/// The log, with the journal that the page keeps; an empty one where the page has none either.
fn open_log() -> OwnLog {
    let stored = BrowserStore::open_telling(tell_page).and_then(|store| {
        let store: Box<dyn Store> = Box::new(Journaled::new(store, BrowserJournal));
        Log::open(store, ids::new_id()).ok()
    });
    stored.unwrap_or_else(|| {
        let store: Box<dyn Store> = Box::new(MemoryStore::default());
        let empty = Log::open(store, ids::new_id());
        empty.unwrap_or_else(|_| unreachable!("an empty store is nobody else's"))
    })
}
