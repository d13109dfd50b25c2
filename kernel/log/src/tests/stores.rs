//! Stores that fail on demand.

use crate::{KeyValue, MemoryStore, StoreError};

/// Refuses writes from the n-th on, or those that exceed its room.
#[derive(Default)]
pub struct FailingStore {
    pub inner: MemoryStore,
    pub writes: usize,
    pub fails_at: Option<usize>,
    /// Capacity in UTF-16 units of keys and values.
    pub room: Option<usize>,
}

impl KeyValue for FailingStore {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.writes += 1;
        if self.fails_at.is_some_and(|n| self.writes >= n) {
            return Err(StoreError::Full);
        }
        let before = self.inner.clone();
        self.inner.set(key, value)?;
        if self.room.is_some_and(|room| self.inner.units() > room) {
            self.inner = before;
            return Err(StoreError::Full);
        }
        Ok(())
    }

    fn remove(&mut self, key: &str) {
        self.inner.remove(key);
    }
}

impl MemoryStore {
    /// Its content, in UTF-16 units.
    pub fn units(&self) -> usize {
        let units = |text: &str| text.encode_utf16().count();
        let of = |key: &String| units(key) + self.get(key).map_or(0, |value| units(&value));
        self.keys().iter().map(of).sum()
    }
}

/// UTF-16 values as a browser keeps them: unpaired surrogates cannot be returned as text.
#[derive(Default)]
pub struct Utf16Store(pub std::collections::BTreeMap<String, Vec<u16>>);

impl KeyValue for Utf16Store {
    fn keys(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        Some(String::from_utf16_lossy(self.0.get(key)?))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0
            .insert(key.to_owned(), value.encode_utf16().collect());
        Ok(())
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        if let Some(value) = self.0.get(from).cloned() {
            self.0.insert(to.to_owned(), value);
        }
        Ok(())
    }

    fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }
}
