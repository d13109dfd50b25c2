//! The redo journal: the last value written under each key, in a second store that survives a killed browser.
//!
//! The browser writes localStorage to disk on a timer, so a kill loses up to a minute of writes. The journal
//! (IndexedDB in the browser) is written beside it and replayed at the next start, key by key; replaying
//! twice has the same effect as replaying once.

use super::form::{FORM, is_whole};
use super::meta;
use super::stamp::{age, rev, revision, written_at};
use super::{Key, KeyValue, Kinds, Rewrites, StoreError};
use std::collections::BTreeMap;

/// How long an entry stays after localStorage has its value too: the browser that answers may hold the value
/// in memory only, not on disk.
const PRUNE_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
/// localStorage is first written to disk after five seconds. A log that existed for this long and is gone was
/// cleared by someone, not lost.
const ON_DISK_AFTER_MS: u64 = 2 * 60 * 1000;

/// Where the journal is kept. Neither call returns an error: without a journal the log still works.
pub trait Journal {
    /// Records the present value of a key.
    fn record(&mut self, key: &str, record: &str);
    /// Records that a key was removed, and the revision of the record that it had.
    fn record_removal(&mut self, key: &str, rev: Option<u64>);
    /// Drops the entry of a key.
    fn forget(&mut self, key: &str);
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// The key.
    pub key: String,
    /// Its value; `None` where the key was removed.
    pub record: Option<String>,
    /// When the entry was written, in milliseconds since 1970.
    pub at: u64,
    /// The revision of the record that was removed: it and what is older stays away. Entries of earlier versions, and those
    /// of records without a revision, have none.
    pub rev: Option<u64>,
}

/// A store with a journal beside it.
#[derive(Debug)]
pub struct Journaled<S, J> {
    pub(super) store: S,
    journal: J,
    kinds: Kinds,
    /// The highest revision that each tombstone had in this page. It is a time, and the clock may be set back between two.
    tombstones: BTreeMap<String, u64>,
}

impl<S: KeyValue, J: Journal> Journaled<S, J> {
    /// Wraps `store` so that each write is also recorded in `journal`.
    pub fn new(store: S, journal: J, kinds: Kinds) -> Self {
        let tombstones = BTreeMap::new();
        Self {
            store,
            journal,
            kinds,
            tombstones,
        }
    }

    /// The highest revision of the records that a key had, with the one that it has.
    fn highest_revision(&mut self, name: &str) -> Option<u64> {
        let key = Key::parse(name, self.kinds)?;
        let present = self.store.get(name);
        let present = present.and_then(|record| revision(key, &record));
        if !matches!(key, Key::Tombstone(_) | Key::Removed(..)) {
            return present;
        }
        let highest = present.max(self.tombstones.get(name).copied());
        if let Some(highest) = highest {
            self.tombstones.insert(name.to_owned(), highest);
        }
        highest
    }

    /// Drops entries.
    pub fn prune(&mut self, keys: &[String]) {
        for key in keys {
            self.journal.forget(key);
        }
    }
}

/// Whether a key is journaled: every key of the log except the reserve, which holds no data.
fn is_journaled(key: Option<Key>) -> bool {
    !matches!(key, None | Some(Key::Reserve))
}

impl<S: KeyValue, J: Journal> KeyValue for Journaled<S, J> {
    fn keys(&self) -> Vec<String> {
        self.store.keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.store.get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if matches!(
            Key::parse(key, self.kinds),
            Some(Key::Tombstone(_) | Key::Removed(..))
        ) {
            self.highest_revision(key);
        }
        let done = self.store.set(key, value);
        // A write that found no room is journaled too, so that closing the page does not lose it.
        if is_journaled(Key::parse(key, self.kinds)) {
            self.journal.record(key, value);
        }
        done
    }

    fn remove(&mut self, key: &str) {
        match Key::parse(key, self.kinds) {
            // The removal undoes something, and the disk may still hold the value: journal the removal.
            Some(Key::Tombstone(_) | Key::Removed(..) | Key::Import(_)) => {
                self.remove_journaled(key)
            }
            Some(Key::Record(kind, _)) if kind.is_removed() => self.remove_journaled(key),
            // Any other key is removed because its content is stored elsewhere or a tombstone covers it.
            parsed => {
                self.store.remove(key);
                if is_journaled(parsed) {
                    self.journal.forget(key);
                }
            }
        }
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        let done = self.store.copy(from, to);
        if is_journaled(Key::parse(to, self.kinds))
            && let Some(value) = self.store.get(to)
        {
            self.journal.record(to, &value);
        }
        done
    }

    fn get_json(&self, key: &str) -> Option<String> {
        self.store.get_json(key)
    }

    fn remove_journaled(&mut self, key: &str) {
        // The disk may still hold the value, or an older one, and no other record says that it must be gone.
        let rev = self.highest_revision(key);
        self.store.remove(key);
        self.journal.record_removal(key, rev);
    }
}

/// The result of a replay.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// How many records were restored.
    pub restored: usize,
    /// Records that found no room.
    pub no_room: Vec<(String, String)>,
    /// The records that were removed and whose revisions are counted on, with these.
    pub removed: Vec<(Key, u32)>,
    /// Keys of entries that are no longer needed.
    pub done: Vec<String>,
    /// The log is empty although it was on disk for long: someone cleared it. Only `sash:meta` was written; a
    /// second replay with `forced` restores the rest.
    pub cleared: bool,
}

/// Brings a store up to date with its journal; a store that this version may not write is left unchanged.
/// `now` is in milliseconds since 1970.
pub fn replay<S: KeyValue>(
    store: &mut S,
    entries: &[JournalEntry],
    now: u64,
    forced: bool,
    kinds: Kinds,
) -> Replayed {
    let mut replayed = Replayed::default();
    if meta::read(store, &FORM).is_err() {
        return replayed;
    }
    if !forced && was_cleared(store, entries, kinds) {
        replayed.cleared = true;
        // Restore `sash:meta` so that it stays the same log: a new one would look as if it had never been on
        // disk.
        let meta = Key::Meta.to_string();
        let known = entries.iter().find(|e| e.key == meta);
        if let Some(record) = known.and_then(|e| e.record.as_ref()) {
            // If there is no room, `Log::open` writes a new one.
            let _ = store.set(&meta, record);
        }
        return replayed;
    }
    for entry in entries {
        let Some(key) = Key::parse(&entry.key, kinds).filter(|key| is_journaled(Some(*key))) else {
            replayed.done.push(entry.key.clone());
            continue;
        };
        if let Some(rev) = entry.rev.and_then(|rev| u32::try_from(rev).ok())
            && key.is_counted_on()
        {
            replayed.removed.push((key, rev));
        }
        let there = store.get(&entry.key);
        if there == entry.record {
            // Keep the entry of `sash:meta`: its time distinguishes a cleared log from a lost one.
            if key != Key::Meta && now.saturating_sub(entry.at) > PRUNE_AFTER_MS {
                replayed.done.push(entry.key.clone());
            }
            continue;
        }
        match (&entry.record, there) {
            (None, Some(there)) => {
                if is_removed(key, entry, &there) {
                    store.remove(&entry.key);
                }
            }
            (None, None) => {}
            (Some(record), Some(there)) => {
                if supersedes(key, record, &there) {
                    if !is_whole(&there) {
                        // Keep a copy, as of any unreadable record, if there is room for it.
                        let _ = store.copy(&entry.key, &key.quarantined());
                    }
                    write(store, entry, record, &mut replayed);
                }
            }
            (Some(record), None) => write(store, entry, record, &mut replayed),
        }
    }
    replayed
}

/// Whether a log that was on disk for long holds no chat any more.
fn was_cleared<S: KeyValue>(store: &S, entries: &[JournalEntry], kinds: Kinds) -> bool {
    // Drafts do not count: the draft of a new chat may be written long after the log was created, and be lost
    // with the browser.
    let of_chat = |key: &str| {
        let key = Key::parse(key, kinds).filter(|key| !matches!(key, Key::Record(..)));
        key.is_some_and(|key| key.chat().is_some())
    };
    let lost = entries
        .iter()
        .filter(|e| e.record.is_some() && of_chat(&e.key));
    let last = lost.map(|e| e.at).max().unwrap_or_default();
    let first = entries.iter().map(|e| e.at).min().unwrap_or_default();
    // Read the keys last: there may be thousands.
    last.saturating_sub(first) > ON_DISK_AFTER_MS && !store.keys().iter().any(|key| of_chat(key))
}

fn write<S: KeyValue>(store: &mut S, entry: &JournalEntry, record: &str, replayed: &mut Replayed) {
    match store.set(&entry.key, record) {
        Ok(()) => replayed.restored += 1,
        Err(_) => replayed
            .no_room
            .push((entry.key.clone(), record.to_owned())),
    }
}

/// Whether a removal covers the stored record. It keeps one that an open tab wrote after the removal.
fn is_removed(key: Key, entry: &JournalEntry, there: &str) -> bool {
    match (entry.rev, revision(key, there)) {
        // The clock may have been set between writing and removing, so times say nothing.
        (Some(removed), Some(there)) => there <= removed,
        (None, Some(_)) => written_at(there).is_none_or(|at| at <= entry.at),
        // A record that is never rewritten, or one that cannot be read.
        (_, None) => true,
    }
}

/// Whether the journal's record replaces the stored one.
fn supersedes(key: Key, noted: &str, there: &str) -> bool {
    if !is_whole(noted) {
        return false;
    }
    match key {
        Key::Meta => false,
        // The one rewritten more often is newer.
        Key::Head(_) | Key::Settings => rev(noted) > rev(there),
        Key::Record(kind, _) => match kind.rewrites {
            Rewrites::Counted => rev(noted) > rev(there),
            Rewrites::CountedOn => age(noted) > age(there),
            Rewrites::Uncounted => true,
        },
        Key::Tombstone(_) | Key::Removed(..) | Key::Import(_) | Key::Segment(..) => true,
        // These are never rewritten, so one that differs is damaged.
        Key::Message(..) | Key::Tail(..) | Key::Stop(_) | Key::Reserve => !is_whole(there),
    }
}
