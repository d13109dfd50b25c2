//! Stores that fail on demand.

use crate::log::{MemoryStore, Store, StoreError};

/// Refuses from the n-th write on, or what passes its room.
#[derive(Default)]
pub struct FailingStore {
    pub inner: MemoryStore,
    pub writes: usize,
    pub fails_at: Option<usize>,
    /// In UTF-16 units of keys and values.
    pub room: Option<usize>,
}

impl Store for FailingStore {
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
    /// What it holds, in UTF-16 units.
    pub fn units(&self) -> usize {
        let units = |text: &str| text.encode_utf16().count();
        let of = |key: &String| units(key) + self.get(key).map_or(0, |value| units(&value));
        self.keys().iter().map(of).sum()
    }
}
