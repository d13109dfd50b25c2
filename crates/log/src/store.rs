//! Where records are kept: keys and values of text, as localStorage has them.

use std::collections::BTreeMap;

/// Why a record was not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// There is no room. What stood under the key is still there.
    Full,
    /// The store cannot be used.
    Refused,
}

/// Keys and values of text. A `set` is all or nothing.
pub trait Store {
    /// Every key, in any order. Slow: called once at the start.
    fn keys(&self) -> Vec<String>;
    /// The value under a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Puts a value under a key.
    ///
    /// # Errors
    /// [`StoreError`]; then the old value is still there.
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Takes a key away; an absent one is no error.
    fn remove(&mut self, key: &str);
    /// Copies what stands under a key to another one as it is, also where it is no text: a browser's store may hold
    /// half a character of UTF-16, which [`Self::get`] can only give as U+FFFD. Nothing happens to an absent one.
    ///
    /// # Errors
    /// [`StoreError`]; then the old value is still there.
    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        match self.get(from) {
            Some(value) => self.set(to, &value),
            None => Ok(()),
        }
    }
    /// What stands under a key as a string of JSON. Half a character of UTF-16 is written as its escape (`\ud83d`).
    fn quoted(&self, key: &str) -> Option<String> {
        // A text cannot fail to serialise.
        Some(serde_json::to_string(&self.get(key)?).unwrap_or_default())
    }
    /// Takes a key away that must not come back: what was written there is to be as if it never had been.
    fn take_back(&mut self, key: &str) {
        self.remove(key);
    }
}

/// A store in memory: for tests, and for a page whose storage is refused.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    records: BTreeMap<String, String>,
}

impl Store for MemoryStore {
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

impl<S: Store + ?Sized> Store for Box<S> {
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

    fn quoted(&self, key: &str) -> Option<String> {
        (**self).quoted(key)
    }

    fn take_back(&mut self, key: &str) {
        (**self).take_back(key);
    }
}
