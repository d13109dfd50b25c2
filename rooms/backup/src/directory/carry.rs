//! What a copy becomes when its browser hands it over anew: nothing that only the former one has is lost.

use super::slots::{Slot, compare_lines, images_in, slots};
use crate::compare::Says;
use sash_chat::{Id, ImageHash};
use std::collections::BTreeSet;

/// What a copy becomes.
#[derive(Debug, Default)]
pub struct NewLines {
    /// Its lines, by their keys: the head, then the messages in the order in which they were written.
    pub lines: String,
    /// How many messages they have, or prompts and folders.
    pub count: usize,
    /// The images of their messages.
    pub images: BTreeSet<ImageHash>,
    /// What was left out because it was deleted for good.
    pub dropped: BTreeSet<Id>,
    /// Whether they have something of the former copy that was not handed over.
    pub has_more: bool,
    /// The messages of the former copy that were not handed over.
    pub carried: BTreeSet<Id>,
    /// Whether the former copy said something of a message that they do not say.
    pub differs: bool,
}

impl NewLines {
    /// The lines that a browser hands over, with what its former copy has besides: what this browser does not have any more,
    /// or cannot read. Of two lines of a message the one counts that says more. The former ones have nothing that is gone.
    pub fn new(former: &str, newer: &str, chat: Id, gone: &BTreeSet<Id>) -> Self {
        let mut new = Self::default();
        let (former, mut newer) = (slots(former, chat), slots(newer, chat));
        newer.retain(|slot, _| {
            let gone = slot.id().filter(|id| gone.contains(id));
            new.dropped.extend(gone);
            gone.is_none()
        });
        let mut lines = Vec::new();
        for slot in former.keys().chain(newer.keys()).collect::<BTreeSet<_>>() {
            let (before, now) = (former.get(slot).copied(), newer.get(slot).copied());
            let line = match *slot {
                // What is in the trash, if the message or the chat is here.
                Slot::Removed(id) if newer.contains_key(&Slot::Message(id)) => now,
                Slot::Tombstone if newer.contains_key(&Slot::Head) => now,
                // A message that this browser alone deleted for good stays, and not as one that was deleted.
                Slot::Removed(id) if former.contains_key(&Slot::Message(id)) => before,
                slot => {
                    let says = match (before, now) {
                        (Some(before), Some(now)) => compare_lines(slot, before, now),
                        (Some(_), None) => {
                            new.carried.extend(slot.id());
                            Says::More
                        }
                        (None, _) => Says::Nothing,
                    };
                    // A former shelf is not kept: the text of a deleted prompt would stay.
                    let is_message = matches!(slot, Slot::Message(_));
                    new.differs |= is_message && says == Says::Otherwise;
                    new.has_more |= says == Says::More;
                    if says == Says::More { before } else { now }
                }
            };
            if let Some(line) = line {
                new.count += usize::from(slot.id().is_some());
                new.images.extend(images_in(line));
                lines.push(line);
            }
        }
        // Each begins with its key.
        lines.sort_unstable();
        new.lines = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
        new
    }
}
