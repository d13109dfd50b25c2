//! Whether this page may write: not while everything is being deleted.

use std::cell::Cell;

/// Present while everything is being deleted: [`crate::browser::erase`] sets it first and removes it last.
pub const DELETING: &str = "sash:deleting";

thread_local! {
    /// Whether everything is being deleted: then nothing is written until the page is reloaded.
    static CLOSED: Cell<bool> = const { Cell::new(false) };
}

/// Whether everything is being deleted, by this tab or another one; then nothing may be written.
#[must_use]
pub fn is_closed() -> bool {
    CLOSED.get()
}

/// Stops all writes.
pub(in crate::browser) fn close() {
    CLOSED.set(true);
}
