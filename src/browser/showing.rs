//! Which chat has long answers that are being shown, until they are: an answer that holds up the browser, or ends the
//! program, would do so at each start. The mark stands in localStorage, where the next start finds it.

use super::storage::{is_closed, local};
use leptos::ev;
use leptos::prelude::{document, window_event_listener};
use std::cell::{Cell, RefCell};
use web_sys::Element;

const SHOWING: &str = "sash:showing";

thread_local! {
    /// The chat that the mark of a former page names.
    static LEFT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// Whether the mark is of this page.
    static MARKED: Cell<bool> = const { Cell::new(false) };
    /// The answer that is being worked on.
    static WORK: RefCell<Option<Element>> = const { RefCell::new(None) };
    /// Whether the program has panicked: the mark stays then.
    static CRASHED: Cell<bool> = const { Cell::new(false) };
}

fn storage() -> Option<web_sys::Storage> {
    local().filter(|_| !is_closed())
}

/// Looks for the mark of a former page, which is what was shown when it went without a word. To be called once, at the
/// start.
pub fn start() {
    let left = storage().and_then(|storage| storage.get_item(SHOWING).ok()?);
    LEFT.set(left);
    // For as long as the page lives.
    std::mem::forget(window_event_listener(ev::pagehide, |_| unmark()));
}

/// Whether the answers of a chat are to be folded: showing them was not finished the last time.
#[must_use]
pub fn is_left(chat: &str) -> bool {
    LEFT.with_borrow(|left| left.as_deref() == Some(chat))
}

fn mark(chat: &str) {
    MARKED.set(true);
    if let Some(storage) = storage() {
        // Without room for it the chat is shown again.
        let _ = storage.set_item(SHOWING, chat);
    }
}

/// Notes that all answers are shown. A mark of another tab, or of a page before, stays.
pub fn unmark() {
    if CRASHED.get() || is_stopped() || !MARKED.replace(false) {
        return;
    }
    if let Some(storage) = storage() {
        // It is no error that it is gone.
        let _ = storage.remove_item(SHOWING);
    }
}

/// Whether the crash screen stands in place of the page: an error that was thrown through the program ends it too, without
/// a panic.
fn is_stopped() -> bool {
    let root = document().document_element();
    let state = root.and_then(|root| root.get_attribute("data-state"));
    state.as_deref() == Some("crashed")
}

/// Works on the answer in a place, however long it is.
pub fn work<T>(place: &Element, work: impl FnOnce() -> T) -> T {
    WORK.set(Some(place.clone()));
    let done = work();
    WORK.set(None);
    done
}

/// Notes that long answers of a chat are being shown in this place.
pub fn mark_chat_of(place: &Element) {
    if let Some(chat) = place.get_attribute("data-chat") {
        mark(&chat);
    }
}

/// The program has panicked: what is marked stays so, and what it worked on is marked.
pub(super) fn keep() {
    CRASHED.set(true);
    if let Some(place) = WORK.take() {
        mark_chat_of(&place);
    }
}
