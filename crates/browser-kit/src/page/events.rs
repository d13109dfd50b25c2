//! Events of the page as a whole. The listeners live as long as the owner in which they are created.

use crate::keys::has_own_undo;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_event_listener::use_event_listener;
use std::rc::Rc;
use web_sys::KeyboardEvent;

/// Calls back when the page may be about to close: the last chance to write. Not `beforeunload`, which phones
/// do not fire.
pub fn on_leaving(callback: impl Fn() + 'static) {
    let callback = Rc::new(callback);
    let hidden = Rc::clone(&callback);
    _ = use_event_listener(window(), ev::pagehide, move |_| callback());
    _ = use_event_listener(window(), ev::visibilitychange, move |_| {
        if document().hidden() {
            hidden();
        }
    });
}

/// Calls back when the page comes into view.
pub fn on_seen(callback: impl Fn() + 'static) {
    let callback = Rc::new(move || {
        if super::is_seen() {
            callback();
        }
    });
    let focused = Rc::clone(&callback);
    _ = use_event_listener(window(), ev::focus, move |_| focused());
    _ = use_event_listener(document(), ev::visibilitychange, move |_| callback());
}

/// Has the browser ask before the page is closed or reloaded while `loses` is true.
pub fn ask_before_leaving(loses: impl Fn() -> bool + 'static) {
    _ = use_event_listener(window(), ev::beforeunload, move |event| {
        if loses() {
            event.prevent_default();
        }
    });
}

/// Calls back when the page gets focus again.
pub fn on_return(callback: impl Fn() + 'static) {
    _ = use_event_listener(window(), ev::focus, move |_| callback());
}

/// Whether a key press is Ctrl+Z or Cmd+Z.
#[must_use]
pub fn is_undo(event: &KeyboardEvent) -> bool {
    event.key().eq_ignore_ascii_case("z")
        && (event.ctrl_key() || event.meta_key())
        && !event.shift_key()
        && !event.alt_key()
}

/// Calls back on Ctrl+Z or Cmd+Z outside of text fields; prevents the browser's default if something was
/// undone.
pub fn on_undo(undo: impl Fn() -> bool + 'static) {
    _ = use_event_listener(window(), ev::keydown, move |event| {
        if is_undo(&event) && !event.default_prevented() && !has_own_undo(event.target()) && undo()
        {
            event.prevent_default();
        }
    });
}
