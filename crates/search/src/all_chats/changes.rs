//! What a change of a key changes in the index.

use super::{AllChatsIndex, MessagePlace};
use sash_chat::Id;
use sash_log::{Key, Log, LogChange, Store};
use std::collections::BTreeMap;

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
            (Key::Removed(_, id), true) if self.places.contains_key(&(chat, id)) => {
                self.hidden.insert((chat, id));
            }
            (Key::Removed(_, id), false) => _ = self.hidden.remove(&(chat, id)),
            (Key::Message(_, _, id), true) => self.add_record(log, key, chat, id, utc_offset),
            (Key::Message(_, seq, id), false)
                if self.places.get(&(chat, id)) == Some(&MessagePlace::Record(seq)) =>
            {
                self.remove(chat, id);
            }
            (Key::Segment(_, n), true) => self.add_segment(log, chat, n, utc_offset),
            (Key::Segment(_, n), false) => self.remove_segment(log, chat, n),
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
        match self.places.get(&(chat, id)) {
            Some(MessagePlace::Record(_) | MessagePlace::Segment(_)) => return,
            Some(MessagePlace::Tail) => self.remove(chat, id),
            None => {}
        }
        if self.queue.contains(&chat) {
            return;
        }
        if let (Some(place), Some(message)) = (MessagePlace::of(key), log.message(key)) {
            self.add(log, chat, place, &message, utc_offset);
        }
    }

    /// Messages were packed. Nothing else about them changes.
    fn add_segment<S: Store>(&mut self, log: &mut Log<S>, chat: Id, n: u32, utc_offset: i64) {
        let place = MessagePlace::Segment(n);
        for message in log.messages_at(Key::Segment(chat, n)) {
            match self.places.get_mut(&(chat, message.id)) {
                Some(former) => *former = place,
                None => self.add(log, chat, place, &message, utc_offset),
            }
        }
    }

    /// A segment was removed: its messages are in a later one by now, have a record, or are gone.
    fn remove_segment<S: Store>(&mut self, log: &Log<S>, chat: Id, n: u32) {
        let contents = log.contents(chat).into_iter();
        let records: BTreeMap<Id, u32> = contents
            .filter_map(|key| match key {
                Key::Message(_, seq, id) => Some((id, seq)),
                _ => None,
            })
            .collect();
        for (id, place) in self.places_of(chat) {
            if place == MessagePlace::Segment(n) {
                match records.get(&id) {
                    Some(seq) => {
                        let record = MessagePlace::Record(*seq);
                        self.places.insert((chat, id), record);
                    }
                    None => self.remove(chat, id),
                }
            }
        }
    }

    fn places_of(&self, chat: Id) -> Vec<(Id, MessagePlace)> {
        let of_chat = self.places.range((chat, Id(0))..=(chat, Id(u64::MAX)));
        of_chat.map(|((_, id), place)| (*id, *place)).collect()
    }

    fn remove(&mut self, chat: Id, id: Id) {
        self.has_stale_words = true;
        self.has_stale_terms = true;
        self.places.remove(&(chat, id));
        self.hidden.remove(&(chat, id));
        self.words.remove(chat, Some(id));
    }

    fn remove_chat(&mut self, chat: Id) {
        for (id, _) in self.places_of(chat) {
            self.remove(chat, id);
        }
        self.has_stale_words |= self.titles.remove(&chat).is_some();
        self.words.remove(chat, None);
        self.newest.remove(&chat);
    }
}
