//! The store of records: keys and values of text, as in localStorage.

use std::collections::BTreeMap;

/// Why a write failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// There is no room. The old value is still stored.
    Full,
    /// The store cannot be used.
    Refused,
}

/// Keys and values of text. A `set` is atomic.
pub trait KeyValue {
    /// Every key, in any order. Slow: called once at the start.
    fn keys(&self) -> Vec<String>;
    /// The value under a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Sets the value of a key.
    ///
    /// # Errors
    /// [`StoreError`]; then the old value is still stored.
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Removes a key; a missing one is no error.
    fn remove(&mut self, key: &str);
    /// Copies the value of a key to another key unchanged, even if it is not valid text: a browser's store
    /// may hold an unpaired surrogate, which [`Self::get`] returns as U+FFFD. Does nothing for a missing key.
    ///
    /// # Errors
    /// [`StoreError`]; then the old value is still stored.
    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        match self.get(from) {
            Some(value) => self.set(to, &value),
            None => Ok(()),
        }
    }
    /// The value of a key as a JSON string. An unpaired surrogate is written as its escape (`\ud83d`).
    fn get_json(&self, key: &str) -> Option<String> {
        // Serialising a text cannot fail.
        Some(serde_json::to_string(&self.get(key)?).unwrap_or_default())
    }
    /// Removes a key that must not come back, as if it had never been written.
    fn remove_journaled(&mut self, key: &str) {
        self.remove(key);
    }
}

/// A store in memory: for tests, and for a page whose storage is refused.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    records: BTreeMap<String, String>,
}

impl KeyValue for MemoryStore {
    fn keys(&self) -> Vec<String> {
        self.records.keys().cloned().collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.records.get(key).cloned()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.records.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn remove(&mut self, key: &str) {
        self.records.remove(key);
    }
}

impl<S: KeyValue + ?Sized> KeyValue for Box<S> {
    fn keys(&self) -> Vec<String> {
        (**self).keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        (**self).get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        (**self).set(key, value)
    }

    fn remove(&mut self, key: &str) {
        (**self).remove(key);
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        (**self).copy(from, to)
    }

    fn get_json(&self, key: &str) -> Option<String> {
        (**self).get_json(key)
    }

    fn remove_journaled(&mut self, key: &str) {
        (**self).remove_journaled(key);
    }
}
