//! Reports writes to localStorage, by this page and by other tabs.

use super::areas::forget_tab;
use super::closing::{DELETING, close};
use leptos::ev;
use leptos::prelude::{set_timeout, window_event_listener};
use sash_browser_kit::page;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use web_sys::StorageEvent;

type OnWrite = Rc<dyn Fn(&str, bool)>;

thread_local! {
    static ON_WRITE: RefCell<Option<OnWrite>> = const { RefCell::new(None) };
    /// Keys that were written (`true`) or removed (`false`) and are not reported yet.
    static WRITTEN: RefCell<Vec<(String, bool)>> = const { RefCell::new(Vec::new()) };
}

/// Calls back with each key that this page wrote (`true`) or removed (`false`), once the current
/// task is done.
pub fn on_write(callback: impl Fn(&str, bool) + 'static) {
    ON_WRITE.set(Some(Rc::new(callback)));
}

pub(super) fn record_written(key: &str, there: bool) {
    let Some(callback) = ON_WRITE.with_borrow(Clone::clone) else {
        return;
    };
    let is_first = WRITTEN.with_borrow_mut(|written| {
        written.push((key.to_owned(), there));
        written.len() == 1
    });
    if is_first {
        wasm_bindgen_futures::spawn_local(async move {
            for (key, there) in WRITTEN.take() {
                callback(&key, there);
            }
        });
    }
}

/// Calls back with each key that another tab wrote (`true`) or removed (`false`), and with `None`
/// when the whole storage was cleared, as long as the page lives. Once [`DELETING`] appears, this page stops writing.
pub fn on_other_tab(callback: impl Fn(Option<&str>, bool) + 'static) {
    window_event_listener(ev::storage, move |event: StorageEvent| {
        let (key, there) = (event.key(), event.new_value().is_some());
        if key.as_deref() == Some(DELETING) && there {
            close();
        }
        callback(key.as_deref(), there);
    });
}

/// Reloads the page once another tab has deleted everything, so that no deleted text stays on the screen.
/// `there` is true while that tab is still deleting.
pub fn follow_deletion(there: bool) {
    /// How long another tab may take to delete everything.
    const DELETION_TIMEOUT: Duration = Duration::from_secs(10);
    let begin_anew = || {
        forget_tab();
        page::reload();
    };
    match there {
        // If the deleting tab is closed before it is done, the next start completes the deletion.
        true => set_timeout(begin_anew, DELETION_TIMEOUT),
        false => begin_anew(),
    }
}
