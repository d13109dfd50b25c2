//! Opens the log of this browser, and replays its journal.

use super::ids;
use super::journal::BrowserJournal;
use super::storage::BrowserStore;
use sash_browser_kit::clock;
use sash_log::{Journaled, KeyValue, Kinds, Log, MemoryStore, OpenError, replay};
use sash_stores::{PageLog, StorageState, Unsaved};

/// Opens the log after replaying its journal; opens one in memory if the stored log must not be written. `kinds` are those of
/// the records of features.
#[must_use]
pub fn open_log(kinds: Kinds) -> (PageLog, StorageState) {
    let mut state = StorageState::default();
    let opened = match BrowserStore::open() {
        None => Err(Unsaved::Refused),
        Some(mut store) => {
            let replayed = replay(
                &mut store,
                &BrowserJournal.found(),
                clock::now(),
                false,
                kinds,
            );
            state.cleared = replayed.cleared;
            let mut store = Journaled::new(store, BrowserJournal, kinds);
            store.prune(&replayed.done);
            let store: Box<dyn KeyValue> = Box::new(store);
            match Log::open(store, ids::new_id(), kinds) {
                Ok(mut log) => {
                    for (key, record) in replayed.no_room {
                        log.wait_for_room(key, record);
                    }
                    for (key, rev) in replayed.removed {
                        log.note_removed(key, rev);
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
        let store: Box<dyn KeyValue> = Box::new(MemoryStore::default());
        let empty = Log::open(store, ids::new_id(), kinds);
        empty.unwrap_or_else(|_| unreachable!("an empty store is nobody else's"))
    });
    state.waiting = log.waiting();
    if state.waiting > 0 {
        state.unsaved = Some(Unsaved::Full);
    }
    (log, state)
}
