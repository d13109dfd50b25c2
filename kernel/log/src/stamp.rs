//! The revision that tells which of two records under one key is newer, read without the rest of the record.

use super::{Key, KeyValue, Log, Rewrites, parse_record};
use serde::Deserialize;
use serde_with::{DefaultOnError, serde_as};

#[serde_as]
#[derive(Deserialize)]
struct Rev {
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    rev: u32,
}

#[derive(Deserialize)]
struct At {
    at: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The rewrite counter of a record; `None` for an unreadable one.
pub fn rev(record: &str) -> Option<u32> {
    Some(parse_record::<Rev>(record).ok()?.rev)
}

/// When a tombstone or a record of a kind was written, in milliseconds since 1970.
pub fn written_at(record: &str) -> Option<u64> {
    Some(parse_record::<At>(record).ok()?.at)
}

/// What orders the records of a key whose revisions are counted on: their revision, and for older records without one the time.
pub fn age(record: &str) -> (Option<u32>, Option<u64>) {
    (rev(record), written_at(record))
}

/// The revision of the record under a key: of two the higher one is newer. `None` for an unreadable record and for one of a
/// kind that is never rewritten.
pub fn revision(key: Key, record: &str) -> Option<u64> {
    match key {
        Key::Record(kind, _) if kind.rewrites == Rewrites::Uncounted => None,
        Key::Settings | Key::Head(_) | Key::Record(..) => rev(record).map(u64::from),
        // A tombstone has no counter: what deletes again after a restoration writes a new one.
        Key::Tombstone(_) | Key::Removed(..) => written_at(record),
        Key::Meta
        | Key::Message(..)
        | Key::Tail(..)
        | Key::Segment(..)
        | Key::Import(_)
        | Key::Stop(_)
        | Key::Reserve => None,
    }
}

impl<S: KeyValue> Log<S> {
    /// The revision of the next record under a key. It is higher than that of every former one that this
    /// page knows, removed ones included: otherwise a former one that a crash brings back would count as newer.
    pub(super) fn next_revision(&mut self, key: Key) -> u32 {
        self.note_revision(key);
        let former = self.revisions.get(&key).copied().unwrap_or_default();
        former.saturating_add(1)
    }

    /// Notes the revision of the record under a key if it is counted on, so that the next one goes on from it.
    pub(super) fn note_revision(&mut self, key: Key) {
        if key.is_counted_on()
            && let Some(rev) = self
                .record(&key.to_string())
                .and_then(|record| rev(&record))
        {
            self.note_removed(key, rev);
        }
    }

    /// Notes the revision of a record that was removed, as the journal says.
    pub fn note_removed(&mut self, key: Key, rev: u32) {
        let known = self.revisions.entry(key).or_default();
        *known = rev.max(*known);
    }
}
