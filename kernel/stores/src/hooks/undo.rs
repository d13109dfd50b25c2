//! An action that can be undone: who did it knows how.

use sash_chat::Id;
use std::rc::Rc;

/// The number of an action of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UndoId(pub(crate) u64);

/// How an action is undone.
pub struct UndoEntry {
    /// The chat that must be open for Ctrl+Z to undo it; `None` if any may be.
    pub chat: Option<Id>,
    /// Whether there is still something to undo: another tab may have undone it, or deleted for good what it was about.
    /// Follows the signals that it reads.
    pub holds: Rc<dyn Fn() -> bool>,
    /// Undoes it, and gives what comes back the focus if it is told so. Returns whether there was something to undo.
    pub undo: Box<dyn FnOnce(bool) -> bool>,
}
