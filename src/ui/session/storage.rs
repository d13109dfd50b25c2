//! Where the log is kept, whether it is, and how much room is left.

use super::Session;
use crate::browser::journal::BrowserJournal;
use crate::browser::storage::{self, BrowserStore};
use crate::browser::{clock, ids};
use leptos::prelude::*;
use sash_log::{Journaled, Log, MemoryStore, OpenError, Store, StoreError, replay};
use std::time::Duration;

/// The page's log.
pub type PageLog = Log<Box<dyn Store>>;

/// How it stands with the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Why nothing, or not everything, is being saved.
    pub unsaved: Option<Unsaved>,
    /// How many records found no room.
    pub waiting: usize,
    /// How much of the room is used, in parts of a hundred.
    pub percent: usize,
    /// How many records could not be read, and are kept.
    pub unreadable: usize,
    /// Someone cleared the log, and the journal has what was written of late.
    pub cleared: bool,
}

/// Why the log is not being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// The browser refuses storage.
    Refused,
    /// There is no room.
    Full,
    /// A later version of Sash wrote the log.
    Newer,
    /// Another program did.
    Foreign,
}

/// When the first paint is over.
const LATER: Duration = Duration::from_millis(500);

impl Session {
    /// Works with the log; `None` once the page is gone. Not to be nested.
    pub fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        self.log.try_update_value(f)
    }

    /// Writes to the log; what cannot be written is said, and stays in memory.
    pub(super) fn write(self, f: impl FnOnce(&mut PageLog) -> Result<(), StoreError>) -> bool {
        let Some(done) = self.with_log(f) else {
            return false;
        };
        let waiting = self.with_log(|log| log.waiting()).unwrap_or_default();
        let mut now = self.storage.get_untracked();
        now.waiting = waiting;
        now.unsaved = match (done, now.unsaved) {
            (Err(StoreError::Refused), _) => Some(Unsaved::Refused),
            (Err(StoreError::Full), _) => Some(Unsaved::Full),
            // In memory all goes well, and nothing is saved.
            (Ok(()), why) if self.in_memory => why,
            (Ok(()), _) => (waiting > 0).then_some(Unsaved::Full),
        };
        self.tell(now);
        done.is_ok()
    }

    fn tell(self, now: Storage) {
        if self.storage.get_untracked() != now {
            self.storage.set(now);
        }
    }

    /// Looks, when there is time, how much room is left and what could not be read; makes the reserve.
    pub(super) fn look_at_storage(self) {
        let look = move || {
            self.with_log(|log| log.keep_reserve());
            let mut now = self.storage.get_untracked();
            now.unreadable = self.with_log(|log| log.unreadable()).unwrap_or_default();
            now.percent = storage::used() * 100 / storage::ROOM;
            self.tell(now);
            self.tidy(now.percent);
        };
        set_timeout(look, LATER);
    }

    /// Someone cleared the log from outside.
    pub(super) fn note_cleared(self) {
        self.with_log(Log::forget_all);
        self.storage.update(|now| now.cleared = true);
        self.refresh_lists();
    }

    /// Brings back what the journal has of a log that was cleared, and the chat that is on the screen.
    pub fn bring_back(self) {
        leptos::task::spawn_local(async move {
            let entries = BrowserJournal.read().await;
            if let Some(mut store) = BrowserStore::open() {
                let replayed = replay(&mut store, &entries, clock::now(), true);
                for key in store.keys() {
                    self.with_log(|log| log.note(&key, true));
                }
                for (key, record) in replayed.no_room {
                    self.with_log(|log| log.wait_for_room(key, record));
                }
            }
            let open = self.open.get_untracked();
            let id = open.head.id;
            if open.newest().is_some() {
                self.write(|log| log.save_head(&open.head));
            }
            let running = self.answering.with_untracked(|all| all.get(&id).copied());
            for message in open.all_messages().filter(|m| Some(m.id) != running) {
                self.write(|log| log.save_message(id, message));
            }
            self.end_cleared();
        });
    }

    /// Leaves a cleared log empty: the journal forgets it too.
    pub fn leave_cleared(self) {
        BrowserJournal.clear();
        self.end_cleared();
        self.begin_chat();
    }

    fn end_cleared(self) {
        self.with_log(|log| log.claim(ids::new_id()));
        let settings = self.settings.get_untracked();
        self.write(|log| log.save_settings(&settings));
        self.storage.update(|now| now.cleared = false);
        self.refresh_lists();
    }
}

/// Opens the log, brought up to its journal; in memory, if it must not be written.
pub(super) fn open_log() -> (PageLog, Storage) {
    let mut state = Storage::default();
    let opened = match BrowserStore::open() {
        None => Err(Unsaved::Refused),
        Some(mut store) => {
            let replayed = replay(&mut store, &BrowserJournal.found(), clock::now(), false);
            state.cleared = replayed.cleared;
            let mut store = Journaled::new(store, BrowserJournal);
            store.prune(&replayed.done);
            let store: Box<dyn Store> = Box::new(store);
            match Log::open(store, ids::new_id()) {
                Ok(mut log) => {
                    for (key, record) in replayed.no_room {
                        log.wait_for_room(key, record);
                    }
                    log.start(clock::now());
                    Ok(log)
                }
                Err((_, OpenError::Newer)) => Err(Unsaved::Newer),
                Err((_, OpenError::Foreign)) => Err(Unsaved::Foreign),
            }
        }
    };
    let log = opened.unwrap_or_else(|why| {
        state.unsaved = Some(why);
        let store: Box<dyn Store> = Box::new(MemoryStore::default());
        let empty = Log::open(store, ids::new_id());
        empty.unwrap_or_else(|_| unreachable!("an empty store is nobody else's"))
    });
    state.waiting = log.waiting();
    if state.waiting > 0 {
        state.unsaved = Some(Unsaved::Full);
    }
    (log, state)
}
