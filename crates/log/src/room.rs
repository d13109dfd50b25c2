//! What finds no room waits in memory, and the end of a running answer has room kept for it: a record that holds
//! nothing and is given up in need.

use super::stamp::rev;
use super::{Key, Log, Store};
use sash_chat::Id;

/// How large the reserve is, in UTF-16 units: 256 KiB of a browser's storage.
const RESERVE_UNITS: usize = 128 * 1024;

/// How many records that wait are tried at once: each that does not fit costs a write.
const RETRIES_PER_WRITE: usize = 50;

impl<S: Store> Log<S> {
    /// Takes in a record that found no room, as if it had been written here.
    pub fn wait_for_room(&mut self, key: String, record: String) {
        self.note(&key, true);
        self.waiting.insert(key, record);
    }

    /// Writes what found no room before, as far as there is room now.
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

    /// How many records found no room and wait in memory.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a record of a chat waits in memory.
    pub(super) fn waits(&self, chat: Id) -> bool {
        let mut keys = self.waiting.keys().filter_map(|key| Key::parse(key));
        keys.any(|key| key.chat() == Some(chat))
    }

    /// Takes in that another tab wrote a key, or removed it. Tells which chat it belongs to.
    pub fn on_storage_event(&mut self, key: &str, there: bool) -> Option<Id> {
        if matches!(Key::parse(key), Some(Key::Draft(_))) {
            // The last writer wins.
            self.waiting.remove(key);
        }
        // What waits here for room must not go over what was written there since.
        let waits = self.waiting.get(key).and_then(|record| rev(record));
        let stored = self.store.get(key).and_then(|record| rev(&record));
        if there && waits.is_some_and(|waits| waits > 0) && waits <= stored {
            self.waiting.remove(key);
        }
        self.note(key, there)
    }

    /// Makes the reserve, if there is room for it and nothing waits for room.
    pub fn keep_reserve(&mut self) {
        let key = Key::Reserve.to_string();
        if self.waiting() == 0 && self.store.get(&key).is_none() {
            // Without room there is none: the page says so when it comes to that.
            let _ = self.store.set(&key, &"-".repeat(RESERVE_UNITS));
        }
    }

    /// Gives the reserve up. Whether there was one.
    pub(super) fn use_reserve(&mut self) -> bool {
        let key = Key::Reserve.to_string();
        let there = self.store.get(&key).is_some();
        self.store.remove(&key);
        there
    }
}
