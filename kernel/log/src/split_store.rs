//! The store of a log with temporary chats: their records are in memory, beside it, and never reach it. Every access of
//! the log goes through here, so no write of such a chat can be forgotten.

use super::{Key, KeyValue, Kinds, MemoryStore, StoreError};
use sash_chat::Id;
use std::collections::BTreeSet;

/// A store, and in memory the records of temporary chats.
#[derive(Debug)]
pub(super) struct SplitStore<S> {
    stored: S,
    kinds: Kinds,
    memory: MemoryStore,
    /// The chats whose records are in memory.
    temporary: BTreeSet<Id>,
    /// Temporary chats that were left. What is still written of one goes nowhere.
    forgotten: BTreeSet<Id>,
}

impl<S: KeyValue> SplitStore<S> {
    pub(super) fn new(stored: S, kinds: Kinds) -> Self {
        Self {
            stored,
            kinds,
            memory: MemoryStore::default(),
            temporary: BTreeSet::new(),
            forgotten: BTreeSet::new(),
        }
    }

    /// The store, without what is in memory.
    pub(super) fn stored(&self) -> &S {
        &self.stored
    }

    pub(super) fn into_stored(self) -> S {
        self.stored
    }

    pub(super) fn begin_temporary(&mut self, chat: Id) {
        self.temporary.insert(chat);
    }

    pub(super) fn is_temporary(&self, chat: Id) -> bool {
        self.temporary.contains(&chat)
    }

    pub(super) fn is_forgotten(&self, chat: Id) -> bool {
        self.forgotten.contains(&chat)
    }

    fn chat_of(&self, key: &str) -> Option<Id> {
        if self.temporary.is_empty() && self.forgotten.is_empty() {
            return None;
        }
        let key = key.strip_prefix(super::QUARANTINE_PREFIX).unwrap_or(key);
        Key::parse(key, self.kinds)?.chat()
    }

    fn is_in_memory(&self, key: &str) -> bool {
        let chat = self.chat_of(key);
        chat.is_some_and(|chat| self.is_temporary(chat) || self.is_forgotten(chat))
    }

    fn keys_in_memory(&self, chat: Id) -> Vec<String> {
        let mut keys = self.memory.keys();
        keys.retain(|key| self.chat_of(key) == Some(chat));
        keys
    }

    pub(super) fn forget(&mut self, chat: Id) {
        for key in self.keys_in_memory(chat) {
            self.memory.remove(&key);
        }
        self.temporary.remove(&chat);
        self.forgotten.insert(chat);
    }

    /// Writes the records of a temporary chat to the store; all of them or none. Returns their keys.
    pub(super) fn keep(&mut self, chat: Id) -> Result<Vec<String>, StoreError> {
        let keys = self.keys_in_memory(chat);
        for (n, key) in keys.iter().enumerate() {
            let value = self.memory.get(key).unwrap_or_default();
            if let Err(error) = self.stored.set(key, &value) {
                for written in &keys[..=n] {
                    self.stored.remove_journaled(written);
                }
                return Err(error);
            }
        }
        for key in &keys {
            self.memory.remove(key);
        }
        self.temporary.remove(&chat);
        Ok(keys)
    }
}

impl<S: KeyValue> KeyValue for SplitStore<S> {
    fn keys(&self) -> Vec<String> {
        self.stored.keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        match self.is_in_memory(key) {
            true => self.memory.get(key),
            false => self.stored.get(key),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        match self.chat_of(key) {
            Some(chat) if self.is_forgotten(chat) => Ok(()),
            Some(chat) if self.is_temporary(chat) => self.memory.set(key, value),
            _ => self.stored.set(key, value),
        }
    }

    fn remove(&mut self, key: &str) {
        match self.is_in_memory(key) {
            true => self.memory.remove(key),
            false => self.stored.remove(key),
        }
    }

    fn copy(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        match self.is_in_memory(from) {
            true => match self.memory.get(from) {
                Some(value) => self.set(to, &value),
                None => Ok(()),
            },
            false => self.stored.copy(from, to),
        }
    }

    fn get_json(&self, key: &str) -> Option<String> {
        match self.is_in_memory(key) {
            true => self.memory.get_json(key),
            false => self.stored.get_json(key),
        }
    }

    fn remove_journaled(&mut self, key: &str) {
        match self.is_in_memory(key) {
            true => self.memory.remove(key),
            false => self.stored.remove_journaled(key),
        }
    }
}

/// Tests make their store fail.
#[cfg(test)]
impl<S> std::ops::Deref for SplitStore<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.stored
    }
}

#[cfg(test)]
impl<S> std::ops::DerefMut for SplitStore<S> {
    fn deref_mut(&mut self) -> &mut S {
        &mut self.stored
    }
}
