//! This page's leave to write: writes stop while all data is being deleted.

use std::cell::Cell;

/// The key that exists while all data is being deleted: [`crate::browser::erase`] sets it first and
/// removes it last.
pub const DELETING: &str = "sash:deleting";

thread_local! {
    /// Whether all data is being deleted; if so, this page writes nothing until it is reloaded.
    static CLOSED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this tab or another one is deleting all data; if so, nothing may be written.
#[must_use]
pub fn is_closed() -> bool {
    CLOSED.get()
}

/// Stops all writes.
pub(in crate::browser) fn close() {
    CLOSED.set(true);
}
