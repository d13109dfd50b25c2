//! The redo journal: what was last written under each key, in a second store that survives a killed browser.
//!
//! localStorage is put on disk on a timer; what was written since the last time is gone when the browser is
//! killed, up to a minute of it. The journal (IndexedDB in the browser) is written beside it and replayed at the
//! next start, key by key, so that replaying twice is replaying once.

use super::form::{FORM, is_whole};
use super::meta;
use super::stamp::{noted_at, rev};
use super::{Key, Store, StoreError};

/// How long an entry stays after localStorage has it too: the same browser answers from memory, not from disk.
const PRUNE_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
/// The first commit comes after five seconds. A log that is gone after having been there for so long was cleared
/// by someone and not lost.
const ON_DISK_AFTER_MS: u64 = 2 * 60 * 1000;

/// Where the journal is kept. Neither call fails: a journal that cannot be written is none.
pub trait Journal {
    /// Notes what stands under a key now, or that nothing does (`None`).
    fn note(&mut self, key: &str, record: Option<&str>);
    /// Drops the entry of a key.
    fn forget(&mut self, key: &str);
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// What stands under it, or nothing.
    pub record: Option<String>,
    /// When it was noted, in milliseconds since 1970.
    pub at: u64,
}

/// A store with a journal beside it.
#[derive(Debug)]
pub struct Journaled<S, J> {
    pub(super) store: S,
    journal: J,
}

impl<S: Store, J: Journal> Journaled<S, J> {
    /// Notes in `journal` what is written to `store`.
    pub fn new(store: S, journal: J) -> Self {
        Self { store, journal }
    }

    /// Drops entries.
    pub fn prune(&mut self, keys: &[String]) {
        for key in keys {
            self.journal.forget(key);
        }
    }
}

/// All but the reserve, which holds nothing.
fn is_journaled(key: Option<Key>) -> bool {
    !matches!(key, None | Some(Key::Reserve))
}

impl<S: Store, J: Journal> Store for Journaled<S, J> {
    fn keys(&self) -> Vec<String> {
        self.store.keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.store.get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        let done = self.store.set(key, value);
        // Also what found no room: it is not lost with the page then.
        if is_journaled(Key::parse(key)) {
            self.journal.note(key, Some(value));
        }
        done
    }

    fn remove(&mut self, key: &str) {
        self.store.remove(key);
        match Key::parse(key) {
            // Taken back: what is on disk may still have it.
            Some(Key::Tombstone(_) | Key::Removed(..) | Key::Import(_) | Key::Draft(_)) => {
                self.journal.note(key, None);
            }
            // Anything else is removed because it stands elsewhere, or under a tombstone.
            parsed if is_journaled(parsed) => self.journal.forget(key),
            _ => {}
        }
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        let done = self.store.copy(from, to);
        if is_journaled(Key::parse(to))
            && let Some(value) = self.store.get(to)
        {
            self.journal.note(to, Some(&value));
        }
        done
    }

    fn quoted(&self, key: &str) -> Option<String> {
        self.store.quoted(key)
    }

    fn take_back(&mut self, key: &str) {
        self.store.remove(key);
        // What is on disk may still have it, and nothing else says that it is not to be there.
        self.journal.note(key, None);
    }
}

/// What a replay did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// How many records were brought back.
    pub restored: usize,
    /// Records for which there is no room.
    pub no_room: Vec<(String, String)>,
    /// Entries that are not needed any more.
    pub done: Vec<String>,
    /// The log is empty although it was on disk for long: someone cleared it. Nothing but its name was written; a
    /// second replay with `forced` brings it back.
    pub cleared: bool,
}

/// Brings a store up to its journal; one that this Sash may not write is left alone. `now` in milliseconds since
/// 1970.
pub fn replay<S: Store>(store: &mut S, entries: &[Entry], now: u64, forced: bool) -> Replayed {
    let mut replayed = Replayed::default();
    if meta::read(store, &FORM).is_err() {
        return replayed;
    }
    if !forced && was_cleared(store, entries) {
        replayed.cleared = true;
        // It is still the same log: begun anew, it would look like one that was never on disk.
        let meta = Key::Meta.to_string();
        let known = entries.iter().find(|e| e.key == meta);
        if let Some(record) = known.and_then(|e| e.record.as_ref()) {
            // Without room a new one is written.
            let _ = store.set(&meta, record);
        }
        return replayed;
    }
    for entry in entries {
        let Some(key) = Key::parse(&entry.key).filter(|key| is_journaled(Some(*key))) else {
            replayed.done.push(entry.key.clone());
            continue;
        };
        let there = store.get(&entry.key);
        if there == entry.record {
            // The log's own name stays: by its time a cleared log is told from a lost one.
            if key != Key::Meta && now.saturating_sub(entry.at) > PRUNE_AFTER_MS {
                replayed.done.push(entry.key.clone());
            }
            continue;
        }
        match (&entry.record, there) {
            // Unless it was written again since, by a tab that is open now.
            (None, Some(there)) if noted_at(&there).is_none_or(|at| at <= entry.at) => {
                store.remove(&entry.key);
            }
            (None, _) => {}
            (Some(record), Some(there)) => {
                if supersedes(key, record, &there) {
                    if !is_whole(&there) {
                        // Kept, as any record that cannot be read.
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

/// Whether a log that was on disk for long has no chat any more.
fn was_cleared<S: Store>(store: &S, entries: &[Entry]) -> bool {
    // A draft alone is no log: a new chat's may be written long after the log was begun, and be lost with the browser.
    let of_chat = |key: &str| {
        let key = Key::parse(key).filter(|key| !matches!(key, Key::Draft(_)));
        key.is_some_and(|key| key.chat().is_some())
    };
    let lost = entries
        .iter()
        .filter(|e| e.record.is_some() && of_chat(&e.key));
    let last = lost.map(|e| e.at).max().unwrap_or_default();
    let first = entries.iter().map(|e| e.at).min().unwrap_or_default();
    // The keys last: there may be thousands.
    last.saturating_sub(first) > ON_DISK_AFTER_MS && !store.keys().iter().any(|key| of_chat(key))
}

fn write<S: Store>(store: &mut S, entry: &Entry, record: &str, replayed: &mut Replayed) {
    match store.set(&entry.key, record) {
        Ok(()) => replayed.restored += 1,
        Err(_) => replayed
            .no_room
            .push((entry.key.clone(), record.to_owned())),
    }
}

/// Whether a noted record is to stand in the place of another one.
fn supersedes(key: Key, noted: &str, there: &str) -> bool {
    if !is_whole(noted) {
        return false;
    }
    match key {
        Key::Meta => false,
        // The one written later.
        Key::Head(_) | Key::Settings => rev(noted) > rev(there),
        // By time: a draft that is begun again after it was sent would count from the beginning.
        Key::Draft(_) => noted_at(noted) > noted_at(there),
        Key::Tombstone(_) | Key::Removed(..) | Key::Import(_) | Key::Segment(..) => true,
        // Never rewritten: one that differs is damaged.
        _ => !is_whole(there),
    }
}
