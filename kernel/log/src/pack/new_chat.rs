//! Packs the messages of a chat that is not in the log yet, so that an import needs no more room than what it leaves.

use super::seal::{PackingGain, is_worth, segments_of, summary, units_of_line};
use super::segment::MAX_SEGMENT_BYTES;
use crate::{Key, record};
use sash_chat::{Head, Id, Message, Packed};
use std::collections::BTreeSet;

/// The messages of a new chat as they are written.
#[derive(Clone, Debug)]
pub struct PackedMessages {
    /// What the chat's head must say of them.
    pub packed: Packed,
    /// The records of the segments.
    pub segments: Vec<(Key, String)>,
    /// The messages in them; all others are written as records of their own.
    pub ids: BTreeSet<Id>,
}

/// Packs the messages of a chat that has no records yet, as [`Log::pack`](crate::Log::pack) would pack them once they are
/// written. `None` where nothing would be gained.
#[must_use]
pub fn pack_messages<'m>(
    head: &Head,
    messages: impl IntoIterator<Item = &'m Message>,
) -> Option<PackedMessages> {
    let chat = head.id;
    let payloads = messages.into_iter().map(|m| (m, record::payload(m)));
    let lines: Vec<(&Message, String)> = payloads
        .filter(|(_, payload)| payload.len() <= MAX_SEGMENT_BYTES)
        .collect();
    let packed = lines.iter().map(|(message, _)| (*message).clone());
    let packed = summary(head, packed);
    let ids = lines.iter().map(|(message, _)| message.id).collect();
    let lines = lines.into_iter();
    let lines = lines.map(|(m, payload)| (Key::Message(chat, m.seq, m.id), payload));
    let lines: Vec<(Key, String)> = lines.collect();
    let mut gain = PackingGain {
        messages: lines.len(),
        before: lines.iter().map(units_of_line).sum(),
        after: 0,
    };
    let segments = segments_of(String::new(), lines);
    gain.after = segments.iter().map(|segment| segment.units(chat)).sum();
    let segments = (0..).zip(segments);
    let segments = segments.map(|(n, segment)| (Key::Segment(chat, n), segment.record));
    is_worth(&gain).then(|| PackedMessages {
        packed,
        segments: segments.collect(),
        ids,
    })
}
