//! Opens and closes a modal dialog by a signal.

use leptos::html;
use leptos::prelude::*;

/// Keeps `dialog` open, as a modal one, while `shown` says so. What stands in the dialog by the same signal is
/// made before it opens, so that it can have focus.
pub fn use_modal(dialog: NodeRef<html::Dialog>, shown: Signal<bool>) {
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match shown.get() {
            // Only a dialog that is not in the page refuses, and one that is open already.
            true if !dialog.open() => _ = dialog.show_modal(),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
}
