//! Marks the chat whose long answers are being shown, until they are: an answer that blocks the browser or
//! crashes the program would do so at each start. The mark is in localStorage, where the next start finds it.

use super::storage::{is_closed, keep_if_room, local};
use leptos::ev;
use leptos::prelude::{document, window_event_listener};
use std::cell::{Cell, RefCell};
use web_sys::Element;

const SHOWING: &str = "sash:showing";

thread_local! {
    /// The chat in the mark of a former page.
    static LEFT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// Whether the mark was set by this page.
    static MARKED: Cell<bool> = const { Cell::new(false) };
    /// The answer that is being built.
    static WORK: RefCell<Option<Element>> = const { RefCell::new(None) };
    /// Whether the program has panicked; then the mark is kept.
    static CRASHED: Cell<bool> = const { Cell::new(false) };
}

fn storage() -> Option<web_sys::Storage> {
    local().filter(|_| !is_closed())
}

/// Reads the mark of a former page, which names the chat that was shown when that page ended abnormally. Must
/// be called once, at the start.
pub fn start() {
    let left = storage().and_then(|storage| storage.get_item(SHOWING).ok()?);
    LEFT.set(left);
    window_event_listener(ev::pagehide, |_| unmark());
}

/// Whether the answers of a chat must be folded, because showing them was not completed the last time.
#[must_use]
pub fn was_interrupted(chat: &str) -> bool {
    LEFT.with_borrow(|left| left.as_deref() == Some(chat))
}

fn mark(chat: &str) {
    MARKED.set(true);
    // If there is no room, the chat is shown again.
    keep_if_room(storage(), SHOWING, Some(chat));
}

/// Records that all answers are shown. The mark of another tab, or of a former page, is kept.
pub fn unmark() {
    if CRASHED.get() || is_stopped() || !MARKED.replace(false) {
        return;
    }
    keep_if_room(storage(), SHOWING, None);
}

/// Whether the crash screen is shown: an error thrown through the program also ends it, without a panic.
fn is_stopped() -> bool {
    let root = document().document_element();
    let state = root.and_then(|root| root.get_attribute("data-state"));
    state.as_deref() == Some("crashed")
}

/// Records that the answer in `place` is being built from now on, or none.
pub fn set_current_answer(place: Option<&Element>) {
    WORK.set(place.cloned());
}

/// Records that long answers of the chat in this element are being shown.
pub fn mark_chat_of(place: &Element) {
    if let Some(chat) = place.get_attribute("data-chat") {
        mark(&chat);
    }
}

/// Called after a panic: keeps the mark, or sets it for the answer that was being built.
pub(super) fn on_panic() {
    CRASHED.set(true);
    if let Some(place) = WORK.take() {
        mark_chat_of(&place);
    }
}
