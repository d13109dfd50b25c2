//! Enumerates the log for callers that read all of it, such as search: one key at a time, deleted chats left
//! out.

use super::{Key, Log, Store};
use sash_chat::{Id, Message};

impl<S: Store> Log<S> {
    /// Whether a chat is deleted.
    #[must_use]
    pub fn is_deleted(&self, chat: Id) -> bool {
        self.chats.get(&chat).is_some_and(|keys| keys.deleted)
    }

    /// Whether a message is deleted.
    #[must_use]
    pub fn is_removed(&self, chat: Id, id: Id) -> bool {
        self.chats
            .get(&chat)
            .is_some_and(|keys| keys.removed.contains(&id))
    }

    /// The keys that hold the messages of a chat, newest first: records, unfinished answers, segments.
    #[must_use]
    pub fn contents(&self, chat: Id) -> Vec<Key> {
        let Some(keys) = self.chats.get(&chat) else {
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

    /// The messages under a key of [`Self::contents`], including deleted ones.
    pub fn messages_at(&mut self, key: Key) -> Vec<Message> {
        match key {
            Key::Message(..) => self.read(key).into_iter().collect(),
            Key::Tail(chat, id, _) => self.read_tail(chat, id).into_iter().collect(),
            Key::Segment(chat, n) => self.unpack_part(chat, n),
            _ => Vec::new(),
        }
    }
}
