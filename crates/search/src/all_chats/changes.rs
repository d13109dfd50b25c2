//! Changes of the index that follow from the change of a key.

use super::AllChatsIndex;
use sash_chat::Id;
use sash_log::{Key, Log, LogChange, Store};

impl AllChatsIndex {
    pub(super) fn apply<S: Store>(&mut self, log: &mut Log<S>, change: LogChange, utc_offset: i64) {
        let LogChange::Key(key, is_there) = change else {
            *self = Self::new(log);
            return;
        };
        let Some(chat) = key.chat() else {
            return;
        };
        match (key, is_there) {
            (Key::Tombstone(_), true) => self.remove_chat(chat),
            (Key::Tombstone(_), false) => self.enqueue(log, chat),
            _ if log.is_deleted(chat) => {}
            (Key::Head(_), _) => self.read_title(log, chat),
            (Key::Removed(_, id), true) if self.words.contains(chat, Some(id)) => {
                self.hidden.insert((chat, id));
            }
            (Key::Removed(_, id), false) => _ = self.hidden.remove(&(chat, id)),
            (Key::Message(_, _, id), true) => self.add_record(log, key, chat, id, utc_offset),
            (Key::Message(..), false) | (Key::Segment(..), _) => self.enqueue(log, chat),
            _ => {}
        }
    }

    pub(super) fn read_title<S: Store>(&mut self, log: &mut Log<S>, chat: Id) {
        let head = log.head(chat);
        let created = head.as_ref().map_or(0, |head| head.created);
        let title = head.and_then(|head| head.title);
        if self.titles.get(&chat) == title.as_ref() {
            return;
        }
        self.has_stale_words |= self.titles.remove(&chat).is_some();
        self.words.remove(chat, None);
        if let Some(title) = title {
            self.words.add(chat, None, created, &title);
            self.titles.insert(chat, title);
        }
    }

    /// A record was written. It never changes, but an answer that was read from its tail has ended now. What is written
    /// into a chat that is still to be read is read with it.
    fn add_record<S: Store>(
        &mut self,
        log: &mut Log<S>,
        key: Key,
        chat: Id,
        id: Id,
        utc_offset: i64,
    ) {
        if self.unfinished.remove(&(chat, id)) {
            self.remove(chat, id);
        }
        if self.queue.contains(&chat) || self.words.contains(chat, Some(id)) {
            return;
        }
        if let Some(message) = log.message(key) {
            self.add(log, chat, &message, utc_offset);
        }
    }

    pub(super) fn remove(&mut self, chat: Id, id: Id) {
        self.has_stale_words = true;
        self.has_stale_terms = true;
        self.hidden.remove(&(chat, id));
        self.words.remove(chat, Some(id));
    }

    fn remove_chat(&mut self, chat: Id) {
        for id in self.words.messages_of(chat) {
            self.remove(chat, id);
        }
        self.has_stale_words |= self.titles.remove(&chat).is_some();
        self.words.remove(chat, None);
        self.newest.remove(&chat);
    }
}
