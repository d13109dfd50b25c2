//! Keeps the index in step with the log: which key holds each message, and what a change of a key changes.

use crate::storage::PageLog;
use sash_chat::{Id, Message};
use sash_log::{Key, LogChange};
use sash_search::recall::{Prompt, Recalled};
use sash_search::{AllChatsIndex, SearchHit, SearchQuery};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where the log holds a message. A message that is in a segment and has a record too is in the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In a record of its own, with this `seq`.
    Record(u32),
    /// In the tail of an answer that has not ended.
    Tail,
    /// In the segment with this number.
    Segment(u32),
}

impl Place {
    fn of(key: Key) -> Option<Self> {
        match key {
            Key::Message(_, seq, _) => Some(Self::Record(seq)),
            Key::Tail(..) => Some(Self::Tail),
            Key::Segment(_, n) => Some(Self::Segment(n)),
            _ => None,
        }
    }

    fn key(self, chat: Id, message: Id) -> Key {
        match self {
            Self::Record(seq) => Key::Message(chat, seq, message),
            Self::Tail => Key::Tail(chat, message, 0),
            Self::Segment(n) => Key::Segment(chat, n),
        }
    }
}

/// A chat that is being read: first its keys, then its messages go into the index, oldest first.
struct ChatReading {
    chat: Id,
    /// The keys that are left, the next one last.
    keys: Vec<Key>,
    /// What was read, the next message last.
    messages: Vec<(Place, Message)>,
}

/// The index, and what is left to do for it.
#[derive(Default)]
pub(super) struct Follower {
    index: AllChatsIndex,
    places: BTreeMap<(Id, Id), Place>,
    /// Changes of the log, the oldest first.
    changes: VecDeque<LogChange>,
    /// The chats that are to be read, the next one last.
    chats: Vec<Id>,
    reading: Option<ChatReading>,
}

impl Follower {
    /// An empty index of the log, for which all chats are still to be read.
    pub(super) fn new(log: &mut PageLog) -> Self {
        let newest_first = log.chat_list().into_iter();
        Self {
            chats: newest_first.map(|summary| summary.id).rev().collect(),
            ..Self::default()
        }
    }

    /// How many messages and titles can be found.
    pub(super) fn found_messages(&self) -> usize {
        self.index.len()
    }

    /// Does one piece of work: a record, a segment or a message. `here` is the reader's offset from UTC in milliseconds.
    /// Returns whether there was anything to do.
    pub(super) fn step(&mut self, log: &mut PageLog, here: i64) -> bool {
        self.changes.extend(log.take_changes());
        if let Some(reading) = self.reading.take() {
            self.reading = self.read_on(log, reading, here);
        } else if let Some(change) = self.changes.pop_front() {
            self.apply(log, change, here);
        } else if let Some(chat) = self.chats.pop() {
            self.reading = self.begin_chat(log, chat);
        } else if self.index.is_worn() {
            *self = Self::new(log);
        } else {
            return false;
        }
        true
    }

    fn begin_chat(&mut self, log: &mut PageLog, chat: Id) -> Option<ChatReading> {
        if log.is_gone(chat) {
            return None;
        }
        self.index.begin_chat(chat);
        self.read_title(log, chat);
        Some(ChatReading {
            chat,
            // The segments are last and therefore read first: a message that has a record too counts as packed.
            keys: log.contents(chat),
            messages: Vec::new(),
        })
    }

    /// Reads the next key of a chat, or indexes its next message. Returns what is left of the chat.
    fn read_on(
        &mut self,
        log: &mut PageLog,
        mut reading: ChatReading,
        here: i64,
    ) -> Option<ChatReading> {
        let chat = reading.chat;
        if log.is_deleted(chat) {
            // Its tombstone is among the changes.
            return None;
        }
        if let Some(key) = reading.keys.pop() {
            if let Some(place) = Place::of(key) {
                let read = log.messages_at(key).into_iter();
                reading
                    .messages
                    .extend(read.map(|message| (place, message)));
            }
            if reading.keys.is_empty() {
                // The sort is stable: of a message that is there twice, what was read first, from a segment, comes last
                // and is therefore taken first.
                reading.messages.reverse();
                reading
                    .messages
                    .sort_by_key(|(_, message)| Reverse((message.seq, message.id)));
            }
        } else {
            let (place, message) = reading.messages.pop()?;
            self.add(log, chat, place, &message, here);
        }
        Some(reading)
    }

    fn add(&mut self, log: &mut PageLog, chat: Id, place: Place, message: &Message, here: i64) {
        self.places.entry((chat, message.id)).or_insert(place);
        let local_ms = message.created.saturating_add_signed(here);
        let is_in_order = self.index.add(chat, message, local_ms);
        if log.is_removed(chat, message.id) {
            self.index.hide(chat, message.id, true);
        }
        if !is_in_order {
            self.queue(log, chat);
        }
    }

    /// Notes that a chat is to be read anew, unless it is gone.
    fn queue(&mut self, log: &PageLog, chat: Id) {
        if !log.is_gone(chat) && !self.chats.contains(&chat) {
            self.chats.push(chat);
        }
    }

    fn read_title(&mut self, log: &mut PageLog, chat: Id) {
        let head = log.head(chat);
        let created = head.as_ref().map_or(0, |head| head.created);
        let title = head.and_then(|head| head.title);
        self.index.set_title(chat, created, title.as_deref());
    }

    fn apply(&mut self, log: &mut PageLog, change: LogChange, here: i64) {
        let LogChange::Key(key, is_there) = change else {
            *self = Self::new(log);
            return;
        };
        let Some(chat) = key.chat() else {
            return;
        };
        match (key, is_there) {
            (Key::Tombstone(_), true) => self.remove_chat(chat),
            (Key::Tombstone(_), false) => self.queue(log, chat),
            _ if log.is_deleted(chat) => {}
            (Key::Head(_), _) => self.read_title(log, chat),
            (Key::Removed(_, id), is_hidden) => self.index.hide(chat, id, is_hidden),
            (Key::Message(_, _, id), true) => self.note_record(log, key, chat, id, here),
            (Key::Message(_, seq, id), false)
                if self.places.get(&(chat, id)) == Some(&Place::Record(seq)) =>
            {
                self.remove(chat, id);
            }
            (Key::Segment(_, n), true) => self.note_segment(log, chat, n, here),
            (Key::Segment(_, n), false) => self.note_segment_gone(log, chat, n),
            _ => {}
        }
    }

    /// A record was written. It never changes, but an answer that was read from its tail has ended now.
    fn note_record(&mut self, log: &mut PageLog, key: Key, chat: Id, id: Id, here: i64) {
        match self.places.get(&(chat, id)) {
            Some(Place::Record(_) | Place::Segment(_)) => return,
            Some(Place::Tail) => self.remove(chat, id),
            None => {}
        }
        if let (Some(place), Some(message)) = (Place::of(key), log.message(key)) {
            self.add(log, chat, place, &message, here);
        }
    }

    /// Messages were packed. Nothing else about them changes.
    fn note_segment(&mut self, log: &mut PageLog, chat: Id, n: u32, here: i64) {
        let place = Place::Segment(n);
        for message in log.messages_at(Key::Segment(chat, n)) {
            match self.places.get_mut(&(chat, message.id)) {
                Some(known) => *known = place,
                None => self.add(log, chat, place, &message, here),
            }
        }
    }

    /// A segment was removed: its messages are in a later one by now, have a record, or are gone.
    fn note_segment_gone(&mut self, log: &PageLog, chat: Id, n: u32) {
        let contents = log.contents(chat).into_iter();
        let records: BTreeMap<Id, u32> = contents
            .filter_map(|key| match key {
                Key::Message(_, seq, id) => Some((id, seq)),
                _ => None,
            })
            .collect();
        for (id, place) in self.places_of(chat) {
            if place == Place::Segment(n) {
                match records.get(&id) {
                    Some(seq) => _ = self.places.insert((chat, id), Place::Record(*seq)),
                    None => self.remove(chat, id),
                }
            }
        }
    }

    fn places_of(&self, chat: Id) -> Vec<(Id, Place)> {
        let of_chat = self.places.range((chat, Id(0))..=(chat, Id(u64::MAX)));
        of_chat.map(|((_, id), place)| (*id, *place)).collect()
    }

    fn remove(&mut self, chat: Id, id: Id) {
        self.places.remove(&(chat, id));
        self.index.remove(chat, id);
    }

    fn remove_chat(&mut self, chat: Id) {
        let gone: BTreeSet<Id> = self.places_of(chat).into_iter().map(|(id, _)| id).collect();
        for id in gone {
            self.places.remove(&(chat, id));
        }
        self.index.remove_chat(chat);
    }

    /// The messages and titles that contain all words of a query, newest first.
    pub(super) fn search(&mut self, log: &mut PageLog, query: &SearchQuery) -> Vec<SearchHit> {
        let places = &self.places;
        self.index.search(query, &mut |found| {
            let id = found.message?;
            let place = places.get(&(found.chat, id))?;
            let message = log.message_at(place.key(found.chat, id), id)?;
            Some(message.content)
        })
    }

    /// The messages that fit a prompt, best first.
    pub(super) fn recall(&self, prompt: Prompt<'_>, may: &dyn Fn(Id, Id) -> bool) -> Vec<Recalled> {
        self.index.recall(prompt, may)
    }

    /// A message that is indexed and not deleted.
    pub(super) fn message(&self, log: &mut PageLog, chat: Id, id: Id) -> Option<Message> {
        let place = self.places.get(&(chat, id))?;
        if log.is_removed(chat, id) {
            return None;
        }
        log.message_at(place.key(chat, id), id)
    }
}
