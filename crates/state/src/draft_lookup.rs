//! Looking something up for the draft in a pause of the typing.

use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{UpdateValue, WithValue};
use sash_chat::Id;
use std::time::Duration;

/// How long the draft must be unchanged before an index is queried.
pub(crate) const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// Which change of the draft is the latest, and the messages that the person refused for it.
#[derive(Clone, Copy)]
pub(crate) struct DraftLookup(StoredValue<DraftState>);

#[derive(Default)]
struct DraftState {
    /// Counts changes, so that only the timer of the last one queries the index.
    changes: u32,
    refused: Vec<Id>,
}

impl Default for DraftLookup {
    fn default() -> Self {
        Self(StoredValue::new(DraftState::default()))
    }
}

impl DraftLookup {
    /// Notes a change and returns its number. Nothing is refused for an empty draft.
    pub(crate) fn note_change(self, is_empty: bool) -> u32 {
        let number = self.0.try_update_value(|state| {
            state.changes = state.changes.wrapping_add(1);
            if is_empty {
                state.refused.clear();
            }
            state.changes
        });
        number.unwrap_or_default()
    }

    /// Whether no change came after the one with this number.
    pub(crate) fn is_latest(self, change: u32) -> bool {
        self.0.with_value(|state| state.changes == change)
    }

    /// Refuses a message for this draft.
    pub(crate) fn refuse(self, id: Id) {
        self.0.update_value(|state| state.refused.push(id));
    }

    /// The messages refused for this draft.
    pub(crate) fn refused(self) -> Vec<Id> {
        self.0.with_value(|state| state.refused.clone())
    }
}
