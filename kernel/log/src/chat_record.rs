//! Records of chats whose content is nothing to the log: read, changed and removed alike, whatever is in them.

use super::stamp::is_zero;
use super::{Key, KeyValue, Log, RecordKind, StoreError};
use sash_chat::Id;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};
use std::marker::PhantomData;

/// The records of a kind, one for each chat at most, with the type of what is in them.
#[derive(Debug)]
pub struct ChatRecord<T>(&'static RecordKind, PhantomData<fn() -> T>);

/// What a record of a chat holds. Its fields stand beside those of [`Stamped`].
pub trait RecordContent: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    /// Whether there is nothing in it: then the chat has no such record.
    fn is_blank(&self) -> bool;
}

/// A record of a chat.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stamped<T> {
    /// When it was written, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub at: u64,
    /// Number of rewrites, counted on over records that were removed; of two versions the one with the higher number is kept.
    /// Older records have none: of two of them the one that was written later is kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub rev: u32,
    /// What is in it.
    #[serde(flatten)]
    pub content: T,
}

impl<T: RecordContent> ChatRecord<T> {
    /// The records of a kind.
    #[must_use]
    pub const fn new(kind: &'static RecordKind) -> Self {
        Self(kind, PhantomData)
    }

    /// The key of a chat's record.
    #[must_use]
    pub const fn key(&self, chat: Id) -> Key {
        Key::Record(self.0, chat)
    }

    /// The record of a chat, if there is one.
    pub fn read<S: KeyValue>(&self, log: &mut Log<S>, chat: Id) -> Option<Stamped<T>> {
        log.read(self.key(chat))
    }

    /// Changes the record of a chat. It is read anew before, because another tab may have changed it. One with nothing in it is
    /// removed; a chat that was purged gets none. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError`]; then the record waits for room.
    pub fn change<S: KeyValue>(
        &self,
        log: &mut Log<S>,
        chat: Id,
        now: u64,
        change: impl FnOnce(&mut T),
    ) -> Result<(), StoreError> {
        let former = self.read(log, chat).map(|record| record.content);
        let mut content = former.clone().unwrap_or_default();
        change(&mut content);
        if content.is_blank() {
            log.drop_record(self.key(chat));
            return Ok(());
        }
        if log.is_purged(chat) || former.as_ref() == Some(&content) {
            return Ok(());
        }
        let rev = log.next_revision(self.key(chat));
        let record = Stamped {
            at: now,
            rev,
            content,
        };
        log.write(self.key(chat), &record)
    }
}

impl<S: KeyValue> Log<S> {
    /// The ids of the records of a kind, in their order. Those of temporary chats are not among them.
    #[must_use]
    pub fn ids_of(&self, kind: &'static RecordKind) -> Vec<Id> {
        let keys = self.records.range(Key::Record(kind, Id(0))..);
        keys.map_while(|key| match key {
            Key::Record(of, id) if *of == kind => Some(*id),
            _ => None,
        })
        .collect()
    }

    /// The keys of the records that a chat of the store has, besides what the log knows itself.
    pub fn records_of(&self, chat: Id) -> impl Iterator<Item = Key> {
        let kinds = self.kinds.all().filter(|kind| kind.is_of_chat);
        let keys = kinds.map(move |kind| Key::Record(kind, chat));
        keys.filter(|key| self.records.contains(key))
    }

    /// Removes a record of a chat, if there is one.
    pub(super) fn drop_record(&mut self, key: Key) {
        let is_temporary = key.chat().is_some_and(|chat| self.is_temporary(chat));
        if is_temporary || self.records.contains(&key) {
            self.remove(key);
            self.write_waiting();
        }
    }
}
