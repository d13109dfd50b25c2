//! Deletes everything that Sash stores in this browser.

use super::database;
use super::storage::{DELETING, close, keys_of_sash, local, session};
use sash_browser_kit::clock;
use sash_browser_kit::console::LogError;
use sash_log::{Key, Kinds};

/// Milliseconds after which another tab's writes are visible here.
const STORAGE_LATENCY_MS: i32 = 100;

/// Whether a deletion of everything was interrupted, or is running in another tab.
#[must_use]
pub fn is_unfinished() -> bool {
    local().is_some_and(|storage| matches!(storage.get_item(DELETING), Ok(Some(_))))
}

/// Deletes everything, including the journal and this tab's own state; nothing is written any more until the
/// page is reloaded.
pub async fn delete_everything() {
    close();
    finish().await;
}

/// Deletes everything. Other tabs stop writing when they see the mark, and reload when it is removed. The
/// database is deleted first, because its journal would restore what is deleted before it; it is gone only when
/// every tab has closed it.
pub async fn finish() {
    mark();
    database::delete().await;
    remove_all(local());
    // A write of another tab may arrive here later than the mark arrives there.
    clock::wait(STORAGE_LATENCY_MS).await;
    remove_all(local());
    remove_all(session());
    if let Some(storage) = local() {
        storage.remove_item(DELETING).log_error();
    }
}

/// Sets the mark. If the storage is full, records that will be deleted anyway make room for it.
fn mark() {
    let Some(storage) = local() else {
        return;
    };
    for key in keys_of_sash(&storage) {
        if storage.set_item(DELETING, "1").is_ok() {
            return;
        }
        storage.remove_item(&key).log_error();
    }
}

/// Removes all keys but the mark, and the ids of answers that the server has not stopped yet: these hold nothing of a
/// chat, and without them an answer that nobody can see would go on.
fn remove_all(storage: Option<web_sys::Storage>) {
    let stays = |key: &str| {
        key == DELETING || matches!(Key::parse(key, Kinds::default()), Some(Key::Stop(_)))
    };
    if let Some(storage) = storage {
        for key in keys_of_sash(&storage).filter(|key| !stays(key)) {
            storage.remove_item(&key).log_error();
        }
    }
}
