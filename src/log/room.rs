//! Room for the end of a running answer: a record that holds nothing and is given up in need.

use super::{Key, Log, Store};

/// How large the reserve is, in UTF-16 units: 256 KiB of a browser's storage.
const RESERVE: usize = 128 * 1024;

impl<S: Store> Log<S> {
    /// Makes the reserve, if there is room for it and nothing waits for room.
    pub fn keep_reserve(&mut self) {
        let key = Key::Reserve.to_string();
        if self.waiting() == 0 && self.store.get(&key).is_none() {
            // Without room there is none: the page says so when it comes to that.
            let _ = self.store.set(&key, &"-".repeat(RESERVE));
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
