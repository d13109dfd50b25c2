//! Looking something up for the draft in a pause of the typing.

use crate::latest::{Latest, Step};
use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{GetValue, UpdateValue};
use sash_chat::Id;
use std::time::Duration;

/// How long the draft must be unchanged before an index is queried.
pub(crate) const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// Which change of the draft is the latest, and the messages that the person refused for it.
#[derive(Clone, Copy)]
pub(crate) struct DraftLookup {
    /// Only the timer of the last change queries the index.
    changes: Latest,
    refused: StoredValue<Vec<Id>>,
}

impl Default for DraftLookup {
    fn default() -> Self {
        Self {
            changes: Latest::new(),
            refused: StoredValue::new(Vec::new()),
        }
    }
}

impl DraftLookup {
    /// Notes a change. Nothing is refused for an empty draft.
    pub(crate) fn record_change(self, is_empty: bool) -> Step {
        if is_empty {
            self.refused.update_value(Vec::clear);
        }
        self.changes.begin()
    }

    /// Refuses a message for this draft.
    pub(crate) fn refuse(self, id: Id) {
        self.refused.update_value(|refused| refused.push(id));
    }

    /// The messages refused for this draft.
    pub(crate) fn refused(self) -> Vec<Id> {
        self.refused.get_value()
    }
}
