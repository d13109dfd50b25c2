//! Records that find no room wait in memory. Room for the end of a running answer is kept free by the
//! reserve, a record without data that is removed when that room is needed.

use super::stamp::{age, rev};
use super::{Key, KeyValue, Log};
use sash_chat::Id;

/// Size of the reserve in UTF-16 units: 256 KiB of a browser's storage.
const RESERVE_UNITS: usize = 128 * 1024;

/// How many waiting records are retried at once: each that does not fit costs a write.
const RETRIES_PER_WRITE: usize = 50;

impl<S: KeyValue> Log<S> {
    /// Adds a record that found no room in another place, as if it had been written here.
    pub fn wait_for_room(&mut self, key: String, record: String) {
        self.on_key_change(&key, true);
        self.waiting.insert(key, record);
    }

    /// Writes the waiting records, as far as there is room now.
    pub fn write_waiting(&mut self) {
        let names: Vec<String> = self
            .waiting
            .keys()
            .take(RETRIES_PER_WRITE)
            .cloned()
            .collect();
        for name in names {
            let record = self.waiting.get(&name);
            if record.is_some_and(|record| self.store.set(&name, record).is_ok()) {
                self.waiting.remove(&name);
            }
        }
    }

    /// The number of records that found no room and wait in memory.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a record of this chat waits in memory.
    pub(super) fn waits(&self, chat: Id) -> bool {
        let mut keys = self.waiting.keys().filter_map(|key| self.key(key));
        keys.any(|key| key.chat() == Some(chat))
    }

    /// Handles a write or a removal by another tab. Returns the chat that the key belongs to.
    pub fn on_storage_event(&mut self, key: &str, there: bool) -> Option<Id> {
        if let Some(parsed) = self.key(key).filter(|_| there) {
            self.note_revision(parsed);
        }
        if let Some(parsed) = self.key(key).filter(|key| key.is_counted_on()) {
            // One that files have holds what is said nowhere else, so only a later one takes the place of one that
            // waits for room. Of others (a draft) the last writer wins.
            let waits = self.waiting.get(key).map(|record| age(record));
            let stored = self.store.get(key).map(|record| age(&record));
            if !parsed.is_in_files() || there && waits <= stored {
                self.waiting.remove(key);
            }
            let exists = there || self.waiting.contains_key(key);
            return self.on_key_change(key, exists);
        }
        // A waiting record must not overwrite a newer one that the other tab wrote.
        let waits = self.waiting.get(key).and_then(|record| rev(record));
        // An import writes thousands of records, and hardly any waits: only then the stored one is read.
        let is_newer = |waits: u32| {
            let stored = self.store.get(key).and_then(|record| rev(&record));
            waits > 0 && Some(waits) <= stored
        };
        if there && waits.is_some_and(is_newer) {
            self.waiting.remove(key);
        }
        self.on_key_change(key, there)
    }

    /// Writes the reserve, if there is room for it and no record waits.
    pub fn keep_reserve(&mut self) {
        let key = Key::Reserve.to_string();
        if self.waiting() == 0 && self.store.get(&key).is_none() {
            // Without room there is no reserve; the page reports that when a write fails.
            let _ = self.store.set(&key, &"-".repeat(RESERVE_UNITS));
        }
    }

    /// Removes the reserve. Returns whether there was one.
    pub(super) fn use_reserve(&mut self) -> bool {
        let key = Key::Reserve.to_string();
        let there = self.store.get(&key).is_some();
        self.store.remove(&key);
        there
    }
}
