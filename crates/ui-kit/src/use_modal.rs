//! Controls a modal dialog by a signal.

use leptos::html;
use leptos::prelude::*;
use web_sys::Event;

/// Keeps `dialog` open as a modal dialog while `shown` is true. Content that depends on the same signal is
/// built before it opens, so that it can have focus.
pub fn use_modal(dialog: NodeRef<html::Dialog>, shown: Signal<bool>) {
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match shown.get() {
            // Fails only for a dialog that is open already or not in the page.
            true if !dialog.open() => _ = dialog.show_modal(),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
}

/// The handler of the `close` event of `dialog`: calls `note` when the person closed it.
pub fn on_closed(dialog: NodeRef<html::Dialog>, note: impl Fn()) -> impl Fn(Event) {
    move |_| {
        // The event arrives later; the dialog may be open again by then.
        if dialog.get_untracked().is_some_and(|dialog| !dialog.open()) {
            note();
        }
    }
}
