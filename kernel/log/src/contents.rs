//! Reads the log by its keys: one after the other for callers that read all of it, such as search, and a single
//! message without the rest of its chat. Tells which keys changed since.

use super::{Key, KeyValue, Log, LogChange};
use sash_chat::{Id, Message};
use std::collections::BTreeSet;

impl<S: KeyValue> Log<S> {
    /// Whether a chat is deleted.
    #[must_use]
    pub fn is_deleted(&self, chat: Id) -> bool {
        self.keys_of(chat).is_some_and(|keys| keys.deleted)
    }

    /// Whether a message is deleted.
    #[must_use]
    pub fn is_removed(&self, chat: Id, id: Id) -> bool {
        self.keys_of(chat)
            .is_some_and(|keys| keys.removed.contains(&id))
    }

    /// The keys that hold the messages of a chat, newest first: records, unfinished answers, segments.
    #[must_use]
    pub fn contents(&self, chat: Id) -> Vec<Key> {
        let Some(keys) = self.keys_of(chat) else {
            return Vec::new();
        };
        let tails = keys.tailed();
        let tails = tails.iter().map(|id| Key::Tail(chat, *id, 0));
        let messages = keys.messages.iter().rev();
        let segments = keys.segments.iter().rev();
        tails
            .chain(messages.map(|(seq, id)| Key::Message(chat, *seq, *id)))
            .chain(segments.map(|n| Key::Segment(chat, *n)))
            .collect()
    }

    /// All keys of a chat, what is written in it and not sent included.
    pub(super) fn keys_in(&self, chat: Id) -> Vec<Key> {
        let own = self.keys_of(chat).into_iter();
        own.flat_map(|keys| keys.all(chat))
            .chain(self.records_of(chat))
            .collect()
    }

    /// A record as it was written; `None` if there is none.
    #[must_use]
    pub fn record(&self, key: &str) -> Option<String> {
        let waiting = self.waiting.get(key).cloned();
        waiting.or_else(|| self.store.get(key))
    }

    /// The messages under a key of [`Self::contents`], including deleted ones.
    pub fn messages_at(&mut self, key: Key) -> Vec<Message> {
        match key {
            Key::Message(..) => self.message(key).into_iter().collect(),
            Key::Tail(chat, id, _) => self.read_tail(chat, id).into_iter().collect(),
            Key::Segment(chat, n) => self.unpack_part(chat, n),
            _ => Vec::new(),
        }
    }

    /// A message of a chat, deleted or not. Reads its record alone; of a packed one the segments of the chat, the
    /// newest first, up to the one that has it.
    pub fn find_message(&mut self, chat: Id, id: Id) -> Option<Message> {
        let keys = self.keys_of(chat)?;
        let mut records = keys.messages.iter();
        if let Some((seq, _)) = records.find(|(_, known)| *known == id) {
            return self.message(Key::Message(chat, *seq, id));
        }
        if keys.tails.range((id, 0)..=(id, u32::MAX)).next().is_some() {
            return self.read_tail(chat, id);
        }
        if let Some(found) = self.segment_cache.find(chat, id) {
            return Some(found);
        }
        let segments = self.segments(chat).into_iter().rev();
        let mut segments = segments.map(|n| Key::Segment(chat, n));
        segments.find_map(|key| self.packed_message(key, id))
    }

    /// Notes each change from now on, to be taken with [`Self::take_changes`].
    pub fn follow_changes(&mut self) {
        self.changes.follow();
    }

    /// Whether there are changes that nobody took.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.changes.has_any()
    }

    /// The changes of heads, messages, segments and tombstones since the last call, in their order.
    pub fn take_changes(&mut self) -> Vec<LogChange> {
        self.changes.take()
    }

    /// Notes from now on which chats change, running answers included, to be taken with
    /// [`Self::take_changed_chats`]. Temporary chats are never among them.
    pub fn follow_chats(&mut self) {
        self.changed_chats.follow();
    }

    /// Whether there are changed chats, prompts or folders that nobody took.
    #[must_use]
    pub fn has_changed_chats(&self) -> bool {
        self.changed_chats.has_any()
    }

    /// The chats that changed since the last call.
    pub fn take_changed_chats(&mut self) -> BTreeSet<Id> {
        self.changed_chats.take()
    }

    /// Whether a prompt or a folder changed since the last call.
    pub fn take_changed_prompts(&mut self) -> bool {
        self.changed_chats.take_records()
    }
}
