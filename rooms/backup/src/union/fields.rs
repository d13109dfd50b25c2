//! Which values of a copy count: those of a chat's fields, and the prompts and folders of a shelf.

use super::Union;
use crate::clock::{FieldClock, SHELF, advance, field_values};
use crate::record::CopyState;
use sash_log::{KeyValue, Log};
use sash_records::backup::HeadFields;

/// A field that has another value in a copy than here.
pub(super) struct Difference {
    pub name: String,
    /// The value of the copy is the later one.
    pub is_later: bool,
    /// Both browsers changed it, and one of them did not know that: whoever merges keeps the value that gives way.
    pub is_conflict: bool,
}

impl Union {
    /// Takes over the later clocks of the copy, and says which of its values are others than here. A value that is not the one
    /// of its clock says nothing: its record is damaged, or another version wrote it.
    pub(super) fn merge_clocks<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        there: &HeadFields,
    ) -> Vec<Difference> {
        let chat = self.of.chat;
        let state = CopyState::read(log, chat);
        let mut clocks = state.fields;
        let here = match field_values(log, chat) {
            Some(here) => {
                advance(&mut clocks, log, chat);
                // A prompt or folder that is missing here is damaged, whatever its clock says.
                clocks.retain(|name, _| chat != SHELF || here.contains_key(name));
                here
            }
            None => {
                clocks.clear();
                HeadFields::new()
            }
        };
        // The last write of the other browser that was merged here.
        let seen = state.seen.get(&self.of.browser);
        let seen = seen.copied().unwrap_or_default();
        let mut differences = Vec::new();
        for (name, clock) in &self.record.fields {
            let value = there.get(name);
            if !clock.is_of(value) {
                continue;
            }
            let mut clock = clock.clone();
            let mut ours = clocks.get(name).cloned().unwrap_or_default();
            let is_later = clock.compare(&ours).is_gt();
            if here.get(name) != value {
                differences.push(Difference {
                    name: name.clone(),
                    is_later,
                    is_conflict: is_conflict(&mut ours, &mut clock, seen),
                });
            }
            if is_later {
                clocks.insert(name.clone(), FieldClock { write: 0, ..clock });
            } else if let Some(known) = clocks.get_mut(name) {
                *known = ours;
            }
        }
        self.clocks = Some(clocks);
        differences
    }
}

/// Whether of two values of a field one gives way that the other one does not know. The browser that set one of them keeps it,
/// once: `seen` is the last write of the other browser that was merged here.
fn is_conflict(ours: &mut FieldClock, theirs: &mut FieldClock, seen: u64) -> bool {
    let is_later = theirs.compare(ours).is_gt();
    let is_kept_here = ours.write > 0 && (is_later || theirs.write > seen);
    is_kept_here
        && match is_later {
            true => theirs.replaces_unknown(ours),
            false => ours.replaces_unknown(theirs),
        }
}
