//! The log of this browser, after someone cleared it.

use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_log::{KeyValue, replay};
use sash_stores::Kernel;
use sash_view::browser::ids;
use sash_view::browser::journal::BrowserJournal;
use sash_view::browser::storage::BrowserStore;

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
