//! Deleting all that Sash keeps in this browser.

use super::storage::{DELETING, close, keys_of_sash, local, session};
use super::{clock, journal};

/// Milliseconds in which what one tab wrote has come to another one.
const ARRIVED: i32 = 100;

/// Whether everything was being deleted when that was broken off, or is being deleted by another tab.
#[must_use]
pub fn is_unfinished() -> bool {
    local().is_some_and(|storage| matches!(storage.get_item(DELETING), Ok(Some(_))))
}

/// Deletes everything, the journal and what this tab remembers included; nothing is written any more until the page is
/// loaded anew.
pub async fn delete_everything() {
    close();
    finish().await;
}

/// Deletes everything. The other tabs write nothing more once they hear of the mark, and begin anew when it goes. The
/// journal goes first: it would bring back what is deleted after it, and it is gone only when every tab has let go of it.
pub async fn finish() {
    mark();
    journal::delete().await;
    remove_all(local());
    // What another tab wrote before it heard of the mark may get here by a longer way than that it heard.
    clock::wait(ARRIVED).await;
    remove_all(local());
    remove_all(session());
    if let Some(storage) = local() {
        // It may be gone: another tab does the same.
        let _ = storage.remove_item(DELETING);
    }
}

/// Sets the mark. The storage may be full: then something of what goes anyway makes room for it.
fn mark() {
    let Some(storage) = local() else {
        return;
    };
    for key in keys_of_sash(&storage) {
        if storage.set_item(DELETING, "1").is_ok() {
            return;
        }
        // Another one may have gone instead.
        let _ = storage.remove_item(&key);
    }
}

fn remove_all(storage: Option<web_sys::Storage>) {
    if let Some(storage) = storage {
        for key in keys_of_sash(&storage).filter(|key| key != DELETING) {
            // Removing fails only where nothing is kept.
            let _ = storage.remove_item(&key);
        }
    }
}
