//! Escape in what is open within a dialog.

use web_sys::KeyboardEvent;

/// A handler of `keydown` that closes a question within a dialog on Escape. The dialog around it stays open.
pub fn on_escape(close: impl Fn()) -> impl Fn(KeyboardEvent) {
    move |event| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    }
}
