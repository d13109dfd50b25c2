//! The log over a store: what is there, reading a chat, writing messages, deletion that can be undone.

use super::keys::Keys;
use super::meta::{self, OpenError};
use super::{Key, RecordError, Store, StoreError, read_record, write_record};
use crate::chat::{Chat, Head, Id, Message, Role};
use crate::json::FromJson;
use litemap::LiteMap;
use serde::Serialize;

/// A chat as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The chat.
    pub id: Id,
    /// Its title.
    pub title: String,
    /// When something was last written in it, in milliseconds since 1970.
    pub touched: u64,
}

/// The log.
#[derive(Debug)]
pub struct Log<S> {
    pub(super) store: S,
    pub(super) chats: LiteMap<Id, Keys>,
    /// Records that found no room, by key: read as if they were written, and written when there is room.
    waiting: LiteMap<String, String>,
}

impl<S: Store> Log<S> {
    /// Opens the log, beginning one where there is none. `install` names a new one.
    ///
    /// # Errors
    /// The store and [`OpenError`] when the log is not one this version may write.
    pub fn open(mut store: S, install: Id) -> Result<Self, (S, OpenError)> {
        if let Err(error) = meta::claim(&mut store, install) {
            return Err((store, error));
        }
        let mut log = Self {
            chats: LiteMap::new(),
            waiting: LiteMap::new(),
            store,
        };
        for key in log.store.keys() {
            log.note(&key, true);
        }
        Ok(log)
    }

    /// Takes note that a key is there, or gone: at the start, and when another tab wrote or removed
    /// it. Tells which chat it belongs to.
    pub fn note(&mut self, key: &str, there: bool) -> Option<Id> {
        let key = Key::parse(key)?;
        let chat = key.chat()?;
        if !self.chats.contains_key(&chat) {
            self.chats.insert(chat, Keys::default());
        }
        let keys = self.chats.get_mut(&chat)?;
        keys.note(key, there);
        Some(chat)
    }

    /// The chats that are not deleted, the one touched last first.
    pub fn summaries(&mut self) -> Vec<Summary> {
        self.summarise(false)
    }

    /// The deleted chats whose records are still there.
    pub fn deleted(&mut self) -> Vec<Summary> {
        self.summarise(true)
    }

    fn summarise(&mut self, deleted: bool) -> Vec<Summary> {
        let wanted = |keys: &Keys| keys.deleted == deleted && keys.has_something();
        let ids: Vec<Id> = self
            .chats
            .iter()
            .filter(|(_, keys)| wanted(keys))
            .map(|(id, _)| *id)
            .collect();
        let mut summaries: Vec<Summary> = Vec::with_capacity(ids.len());
        for summary in ids.into_iter().filter_map(|id| self.summary(id)) {
            // Sorting a vector is five kilobytes of code in the page; this is none.
            let at = summaries.partition_point(|s| s.touched >= summary.touched);
            summaries.insert(at, summary);
        }
        summaries
    }

    /// One chat as the list shows it. Reads its head and its newest message only, unless it has no
    /// title of its own.
    pub fn summary(&mut self, chat: Id) -> Option<Summary> {
        let keys = self.chats.get(&chat)?;
        let newest = keys.messages.last().map(|(key, ())| *key);
        let head = self.read::<Head>(Key::Head(chat));
        let newest = newest.and_then(|(seq, id)| self.read::<Message>(Key::Message(chat, seq, id)));
        let created = head.as_ref().map_or(0, |h| h.created);
        let touched = newest.map_or(created, |m| m.created.max(created));
        let title = match head.and_then(|h| h.title) {
            Some(title) => title,
            None => self.first_question(chat),
        };
        Some(Summary {
            id: chat,
            title,
            touched,
        })
    }

    /// The title of a chat without one: from its first question, reading no further than that.
    fn first_question(&mut self, chat: Id) -> String {
        let keys = self.chats.get(&chat);
        let messages: Vec<(u32, Id)> = keys
            .into_iter()
            .flat_map(|k| k.messages.keys())
            .copied()
            .collect();
        let mut begun = Chat::new(Head::new(chat, 0));
        for (seq, id) in messages {
            if let Some(message) = self.read::<Message>(Key::Message(chat, seq, id)) {
                let found = message.role == Role::User;
                begun.insert(message);
                if found {
                    break;
                }
            }
        }
        begun.title()
    }

    /// A chat's head, as it is written.
    pub fn head(&mut self, chat: Id) -> Option<Head> {
        self.read(Key::Head(chat))
    }

    /// Whether a chat was deleted, or purged since.
    pub fn is_gone(&self, chat: Id) -> bool {
        let keys = self.chats.get(&chat);
        keys.is_some_and(|k| k.deleted || !k.has_something() && k.tails.is_empty())
    }

    /// Reads a chat with all its messages. An answer that never came to its end is there as
    /// [`Outcome::Interrupted`], made of its tail. A deleted chat is
    /// read too, until it is purged. `None` for one that is not there.
    pub fn load(&mut self, chat: Id) -> Option<Chat> {
        let keys = self.chats.get(&chat).filter(|k| k.has_something())?;
        let messages: Vec<(u32, Id)> = keys.messages.keys().copied().collect();
        let tails = keys.tailed();
        let head = self
            .read(Key::Head(chat))
            .unwrap_or_else(|| Head::new(chat, 0));
        let mut loaded = Chat::new(head);
        for (seq, id) in messages {
            // The key is the truth for what orders the messages.
            if let Some(message) = self.read::<Message>(Key::Message(chat, seq, id)) {
                loaded.insert(Message { seq, id, ..message });
            }
        }
        for id in tails {
            if loaded.get(id).is_some() {
                // The final record was written and the page closed before its tail was removed.
                self.drop_tail(chat, id);
            } else if let Some(message) = self.read_tail(chat, id) {
                loaded.insert(message);
            }
        }
        Some(loaded)
    }

    /// Reads a record; one that is damaged is moved aside and kept.
    pub(super) fn read<T: FromJson>(&mut self, key: Key) -> Option<T> {
        let name = key.to_string();
        let waiting = self.waiting.get(&name).cloned();
        let record = waiting.or_else(|| self.store.get(&name))?;
        match read_record(&record) {
            Ok(value) => Some(value),
            Err(RecordError::Newer) => None,
            Err(RecordError::Damaged) => {
                if self.store.set(&key.set_aside(), &record).is_ok() {
                    self.store.remove(&name);
                    self.note(&name, false);
                }
                None
            }
        }
    }

    pub(super) fn write<T: Serialize>(&mut self, key: Key, value: &T) -> Result<(), StoreError> {
        let name = key.to_string();
        let record = write_record(value);
        self.note(&name, true);
        if let Err(error) = self.store.set(&name, &record) {
            self.waiting.insert(name, record);
            return Err(error);
        }
        self.waiting.remove(&name);
        self.write_waiting();
        Ok(())
    }

    /// Writes what found no room before, as far as there is room now.
    pub fn write_waiting(&mut self) {
        while let Some((name, record)) = self.waiting.first() {
            if self.store.set(name, record).is_err() {
                return;
            }
            let name = name.clone();
            self.waiting.remove(&name);
        }
    }

    /// Whether something that found no room waits in memory.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(super) fn remove(&mut self, key: Key) {
        let name = key.to_string();
        self.waiting.remove(&name);
        self.store.remove(&name);
        self.note(&name, false);
    }

    /// Writes a chat's head.
    ///
    /// # Errors
    /// [`StoreError`]; the former head is still there, and the new one waits for room.
    pub fn save_head(&mut self, head: &Head) -> Result<(), StoreError> {
        self.write(Key::Head(head.id), head)
    }

    /// Writes a message for good; the tail of the answer it completes is removed after.
    ///
    /// # Errors
    /// [`StoreError`]; the tail is still there, and the message waits for room.
    pub fn save_message(&mut self, chat: Id, message: &Message) -> Result<(), StoreError> {
        self.write(Key::Message(chat, message.seq, message.id), message)?;
        self.drop_tail(chat, message.id);
        Ok(())
    }

    /// Deletes a chat by a tombstone; its records stay until [`Self::purge`]. A tombstone without room
    /// waits: deleting is what makes room.
    ///
    /// # Errors
    /// [`StoreError::Refused`].
    pub fn delete(&mut self, chat: Id, now: u64) -> Result<(), StoreError> {
        match self.write(Key::Tombstone(chat), &now) {
            Err(StoreError::Full) => Ok(()),
            done => done,
        }
    }

    /// Undoes [`Self::delete`].
    pub fn restore(&mut self, chat: Id) {
        self.remove(Key::Tombstone(chat));
    }

    /// Removes the records of a deleted chat for good, its tombstone last, so that a kill in between
    /// leaves a deleted chat and not half a living one.
    pub fn purge(&mut self, chat: Id) {
        let Some(keys) = self.chats.get(&chat).filter(|keys| keys.deleted) else {
            return;
        };
        let messages: Vec<(u32, Id)> = keys.messages.keys().copied().collect();
        let tails = keys.tailed();
        for (seq, id) in messages {
            self.remove(Key::Message(chat, seq, id));
        }
        for id in tails {
            self.drop_tail(chat, id);
        }
        self.remove(Key::Head(chat));
        self.remove(Key::Tombstone(chat));
        self.chats.remove(&chat);
        self.write_waiting();
    }

    /// The settings, or their defaults.
    pub fn settings<T: FromJson + Default>(&mut self) -> T {
        self.read(Key::Settings).unwrap_or_default()
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn save_settings<T: Serialize>(&mut self, settings: &T) -> Result<(), StoreError> {
        self.write(Key::Settings, settings)
    }

    /// The store beneath.
    pub fn store(&self) -> &S {
        &self.store
    }
}
