//! Opens the log of this browser, replays its journal, and restores it when someone cleared it.

use super::ids;
use super::journal::BrowserJournal;
use super::storage::BrowserStore;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_log::{Journaled, Kinds, Log, MemoryStore, OpenError, Store, replay};
use sash_stores::{Kernel, PageLog, StorageState, Unsaved};

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
            let store: Box<dyn Store> = Box::new(store);
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
        let store: Box<dyn Store> = Box::new(MemoryStore::default());
        let empty = Log::open(store, ids::new_id(), kinds);
        empty.unwrap_or_else(|_| unreachable!("an empty store is nobody else's"))
    });
    state.waiting = log.waiting();
    if state.waiting > 0 {
        state.unsaved = Some(Unsaved::Full);
    }
    (log, state)
}

/// Restores the journal's entries of a cleared log, and the shown chat.
pub fn bring_back_cleared(kernel: Kernel) {
    leptos::task::spawn_local(async move {
        let entries = BrowserJournal.read().await;
        let kinds = kernel.storage().with_log(|log| log.kinds());
        if let (Some(mut store), Some(kinds)) = (BrowserStore::open(), kinds) {
            let replayed = replay(&mut store, &entries, clock::now(), true, kinds);
            for key in store.keys() {
                kernel
                    .storage()
                    .with_log(|log| log.on_key_change(&key, true));
            }
            for (key, record) in replayed.no_room {
                kernel
                    .storage()
                    .with_log(|log| log.wait_for_room(key, record));
            }
        }
        let open = kernel.chats().open.get_untracked();
        let id = open.head.id;
        if open.newest().is_some() {
            kernel.storage().write(|log| log.save_head(&open.head));
        }
        let answering = kernel.answers().answering;
        let running = answering.with_untracked(|all| all.get(&id).copied());
        for message in open.tree.all_messages().filter(|m| Some(m.id) != running) {
            kernel.storage().write(|log| log.save_message(id, message));
        }
        end_cleared(kernel);
    });
}

/// Keeps a cleared log empty: clears the journal too.
pub fn keep_cleared(kernel: Kernel) {
    BrowserJournal.clear();
    end_cleared(kernel);
    kernel.chats().begin_chat();
}

fn end_cleared(kernel: Kernel) {
    kernel
        .storage()
        .with_log(|log| log.restore_meta(ids::new_id()));
    kernel.settings().save();
    kernel.storage().state.update(|now| now.cleared = false);
    kernel.chats().refresh_list();
}
