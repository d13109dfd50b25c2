//! Changes of the index that follow from the change of a key.

use super::AllChatsIndex;
use sash_chat::Id;
use sash_log::{Key, KeyValue, Log, LogChange};

impl AllChatsIndex {
    pub(super) fn apply<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        change: LogChange,
        utc_offset: i64,
    ) {
        let LogChange::Key(key, is_there) = change else {
            let reads_all = self.reads_all;
            *self = Self::new(log);
            if reads_all {
                self.read_all(log.chat_list().iter().map(|chat| chat.id));
            }
            return;
        };
        let Some(chat) = key.chat() else {
            return;
        };
        if !self.reads_all && self.messages.messages_of(chat).next().is_none() {
            return;
        }
        match (key, is_there) {
            (Key::Tombstone(_), true) => self.remove_chat(chat),
            (Key::Tombstone(_), false) => self.enqueue(log, chat),
            _ if log.is_deleted(chat) => {}
            (Key::Head(_), _) => self.read_title(log, chat),
            (Key::Removed(_, id), _) if self.messages.contains(chat, Some(id)) => {
                self.hide(log, chat, id);
            }
            (Key::Message(_, _, id), true) => self.add_record(log, key, chat, id, utc_offset),
            (Key::Message(..), false) | (Key::Segment(..), _) => self.enqueue(log, chat),
            _ => {}
        }
    }

    pub(super) fn read_title<S: KeyValue>(&mut self, log: &mut Log<S>, chat: Id) {
        let head = log.head(chat);
        let created = head.as_ref().map_or(0, |head| head.created);
        let title = head.and_then(|head| head.title);
        if self.titles.get(&chat) == title.as_ref() {
            return;
        }
        self.titles.remove(&chat);
        self.messages.remove(chat, None);
        if let Some(title) = title {
            self.messages.add_title(chat, created, &title);
            self.titles.insert(chat, title);
        }
    }

    /// A record was written. It never changes, but an answer that was read before its end has ended now. What is written
    /// into a chat that is still to be read is read with it.
    fn add_record<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        key: Key,
        chat: Id,
        id: Id,
        utc_offset: i64,
    ) {
        let is_unfinished = self.unfinished.contains_key(&(chat, id));
        if !is_unfinished && self.messages.contains(chat, Some(id)) {
            // Of a temporary chat that was kept.
            self.hide(log, chat, id);
        } else if !self.queue.contains(&chat)
            && let Some(message) = log.message(key)
        {
            self.add(log, chat, &message, utc_offset);
        }
    }

    pub(super) fn remove(&mut self, chat: Id, id: Id) {
        self.unfinished.remove(&(chat, id));
        self.hidden.remove(&(chat, id));
        self.messages.remove(chat, Some(id));
    }

    /// Removes all that it has of a chat.
    pub fn remove_chat(&mut self, chat: Id) {
        let messages: Vec<Id> = self.messages.messages_of(chat).flatten().collect();
        for id in messages {
            self.remove(chat, id);
        }
        self.titles.remove(&chat);
        self.messages.remove(chat, None);
    }
}
