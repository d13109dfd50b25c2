//! Opens the log of this browser, replays its journal, and restores it when someone cleared it.

use super::journal::BrowserJournal;
use super::storage::BrowserStore;
use super::{clock, ids};
use leptos::prelude::*;
use sash_log::{Journaled, Log, MemoryStore, OpenError, Store, replay};
use sash_state::{Answers, Chats, PageLog, SettingsStore, Storage, StorageState, Unsaved};

/// Opens the log after replaying its journal; opens one in memory if the stored log must not be written.
#[must_use]
pub fn open_log() -> (PageLog, StorageState) {
    let mut state = StorageState::default();
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
                    log.clean_up_purged(clock::now());
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

/// A log that someone cleared while the page was open.
#[derive(Clone, Copy)]
pub struct ClearedLog {
    /// Its store.
    pub storage: &'static Storage,
    /// The settings, which are written again.
    pub settings: &'static SettingsStore,
    /// The chats, for the one that is shown.
    pub chats: &'static Chats,
    /// The running answers.
    pub answers: &'static Answers,
}

impl ClearedLog {
    /// Restores the journal's entries of a cleared log, and the shown chat.
    pub fn bring_back(self) {
        leptos::task::spawn_local(async move {
            let entries = BrowserJournal.read().await;
            if let Some(mut store) = BrowserStore::open() {
                let replayed = replay(&mut store, &entries, clock::now(), true);
                for key in store.keys() {
                    self.storage.with_log(|log| log.on_key_change(&key, true));
                }
                for (key, record) in replayed.no_room {
                    self.storage.with_log(|log| log.wait_for_room(key, record));
                }
            }
            let open = self.chats.open.get_untracked();
            let id = open.head.id;
            if open.newest().is_some() {
                self.storage.write(|log| log.save_head(&open.head));
            }
            let running = self
                .answers
                .answering
                .with_untracked(|all| all.get(&id).copied());
            for message in open.all_messages().filter(|m| Some(m.id) != running) {
                self.storage.write(|log| log.save_message(id, message));
            }
            self.end_cleared();
        });
    }

    /// Keeps a cleared log empty: clears the journal too.
    pub fn leave_cleared(self) {
        BrowserJournal.clear();
        self.end_cleared();
        self.chats.begin_chat();
    }

    fn end_cleared(self) {
        self.storage.with_log(|log| log.restore_meta(ids::new_id()));
        self.settings.save();
        self.storage.state.update(|now| now.cleared = false);
        self.chats.refresh_list();
    }
}
