//! Controls a modal dialog by a signal.

use leptos::html;
use leptos::prelude::*;

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
