//! The history of what can be undone, by Ctrl+Z and by toasts.

use crate::hooks::{UndoEntry, UndoId};
use crate::notices::Notices;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::{UpdateValue, WithValue};
use sash_chat::Id;
use sash_words::t;
use std::rc::Rc;

/// How many actions can be undone.
const MAX_STEPS: usize = 50;

/// The actions, oldest first, and the number of the last one.
#[derive(Default)]
struct Actions {
    all: Vec<(UndoId, UndoEntry)>,
    last: u64,
}

/// The actions that can be undone.
#[derive(Clone, Copy)]
pub struct History {
    notices: Notices,
    actions: StoredValue<Actions, LocalStorage>,
}

impl History {
    /// Creates the store; nothing was done yet.
    #[must_use]
    pub fn new(notices: Notices) -> Self {
        Self {
            notices,
            actions: StoredValue::new_local(Actions::default()),
        }
    }

    /// Adds an action that can be undone.
    pub fn push(self, entry: UndoEntry) -> UndoId {
        let id = self.actions.try_update_value(|actions| {
            if actions.all.len() == MAX_STEPS {
                actions.all.remove(0);
            }
            actions.last += 1;
            let id = UndoId(actions.last);
            actions.all.push((id, entry));
            id
        });
        id.unwrap_or(UndoId(0))
    }

    /// Adds a step that may show no toast of its own. It takes the place of the `former` step of its kind, which is not
    /// offered any more.
    pub fn push_step(self, former: StoredValue<Option<UndoId>>, entry: UndoEntry) -> UndoId {
        let id = self.push(entry);
        let former = former.try_update_value(|former| former.replace(id));
        if let Some(former) = former.flatten() {
            self.notices.drop_undo(former);
        }
        id
    }

    /// The newest action.
    #[must_use]
    pub fn last(self) -> Option<UndoId> {
        let last = |actions: &Actions| actions.all.last().map(|(id, _)| *id);
        self.actions.with_value(last)
    }

    /// Whether an action can still be undone.
    #[must_use]
    pub fn holds(self, id: UndoId) -> bool {
        let holds = self.actions.with_value(|actions| {
            let mut all = actions.all.iter();
            let action = all.find(|(known, _)| *known == id);
            action.map(|(_, entry)| Rc::clone(&entry.holds))
        });
        holds.is_some_and(|holds| holds())
    }

    /// Undoes an action, as its toast offers. What comes back gets the focus if it `takes_focus`. Returns whether there
    /// was something to undo.
    pub fn undo(self, id: UndoId, takes_focus: bool) -> bool {
        let action = self.take_last(|known, _| known == id);
        action.is_some_and(|(id, entry)| self.run(id, entry, takes_focus))
    }

    /// Ctrl+Z: undoes the last action that concerns the chat `open` or none, whether or not a toast still offers it, and
    /// forgets those that cannot be undone any more. Returns whether there was something to undo. Do not call it while
    /// a dialog shows what undo would change.
    pub fn undo_last(self, open: Id) -> bool {
        let applies = |_, entry: &UndoEntry| entry.chat.is_none_or(|chat| chat == open);
        while let Some((id, entry)) = self.take_last(applies) {
            if untrack(|| (entry.holds)()) && self.run(id, entry, true) {
                return true;
            }
        }
        false
    }

    fn take_last(self, of: impl Fn(UndoId, &UndoEntry) -> bool) -> Option<(UndoId, UndoEntry)> {
        let last = self.actions.try_update_value(|actions| {
            let mut all = actions.all.iter();
            let at = all.rposition(|(id, entry)| of(*id, entry))?;
            Some(actions.all.remove(at))
        });
        last.flatten()
    }

    fn run(self, id: UndoId, entry: UndoEntry, takes_focus: bool) -> bool {
        self.notices.drop_undo(id);
        let is_undone = (entry.undo)(takes_focus);
        if is_undone {
            self.notices.announce(t!(state.undone));
        }
        is_undone
    }
}
