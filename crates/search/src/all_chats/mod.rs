//! The one index of all chats: what the search finds in them, and what is recalled from them. It reads the log by its
//! keys, in steps, and then follows the keys that change (`changes`); it holds words, and no text.

mod changes;
#[cfg(test)]
mod tests;

use crate::recall::{RecallIndex, RecallPrompt, Recalled};
use crate::{MessageIndex, SearchHit, SearchQuery};
use sash_chat::{Id, Message};
use sash_log::{Key, Log, LogChange, Store};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A chat that is being read: first its keys, then its messages go into the index, oldest first.
struct ChatReading {
    chat: Id,
    /// The keys that are left, the next one last.
    keys: Vec<Key>,
    /// What was read, the next message last.
    messages: Vec<Message>,
    /// All messages that the chat has.
    known: BTreeSet<Id>,
}

/// The index of all chats, and what is left to do for it.
///
/// A chat whose messages were packed or removed is queued and read again: what is known of it stays, and what it no longer
/// has goes. The recall needs each chat in the order in which it was written, so for a message that comes late its chat is
/// read again too.
#[derive(Default)]
pub struct AllChatsIndex {
    words: MessageIndex,
    terms: RecallIndex,
    /// The newest message of each chat in `terms`, by its `seq` and id.
    newest: BTreeMap<Id, (u32, Id)>,
    /// Messages of answers that had not ended when they were read.
    unfinished: BTreeSet<(Id, Id)>,
    titles: BTreeMap<Id, String>,
    /// Messages that are in the trash.
    hidden: BTreeSet<(Id, Id)>,
    /// Changes of the log, the oldest first.
    changes: VecDeque<LogChange>,
    /// The chats that are to be read, the next one last.
    queue: Vec<Id>,
    reading: Option<ChatReading>,
    /// Whether `words` has words of what is gone.
    has_stale_words: bool,
    /// Whether `terms` has messages that are gone, or of a queued chat in which one came late.
    has_stale_terms: bool,
}

impl AllChatsIndex {
    /// An empty index of the log, for which all chats are still to be read, the most recently written ones first.
    pub fn new<S: Store>(log: &mut Log<S>) -> Self {
        let chats = log.chat_list();
        Self::of(log, chats.iter().map(|chat| chat.id))
    }

    /// The same for who has the list of all chats: reading thousands of heads again takes long.
    pub fn of<S: Store>(log: &mut Log<S>, chats: impl DoubleEndedIterator<Item = Id>) -> Self {
        log.follow_changes();
        Self {
            queue: chats.rev().collect(),
            ..Self::default()
        }
    }

    /// How many messages and titles can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len().saturating_sub(self.hidden.len())
    }

    /// Whether nothing can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does one piece of work: a record, a segment or a message, or the sweep of one of the two indices. `utc_offset` is
    /// the reader's, in milliseconds. Returns whether there was anything to do.
    pub fn step<S: Store>(&mut self, log: &mut Log<S>, utc_offset: i64) -> bool {
        self.changes.extend(log.take_changes());
        if let Some(reading) = self.reading.take() {
            self.reading = self.read_on(log, reading, utc_offset);
        } else if let Some(change) = self.changes.pop_front() {
            self.apply(log, change, utc_offset);
        } else if self.has_stale_words {
            self.has_stale_words = false;
            self.words.sweep();
        } else if self.has_stale_terms {
            self.sweep_terms();
        } else if let Some(chat) = self.queue.pop() {
            self.reading = self.begin_chat(log, chat);
        } else {
            return false;
        }
        true
    }

    fn begin_chat<S: Store>(&mut self, log: &mut Log<S>, chat: Id) -> Option<ChatReading> {
        if log.is_gone(chat) {
            return None;
        }
        self.read_title(log, chat);
        Some(ChatReading {
            chat,
            keys: log.contents(chat),
            messages: Vec::new(),
            known: BTreeSet::new(),
        })
    }

    /// Reads the next key of a chat, or indexes its next message. Returns what is left of the chat.
    fn read_on<S: Store>(
        &mut self,
        log: &mut Log<S>,
        mut reading: ChatReading,
        utc_offset: i64,
    ) -> Option<ChatReading> {
        let chat = reading.chat;
        if log.is_deleted(chat) {
            // Its tombstone is among the changes.
            return None;
        }
        if let Some(key) = reading.keys.pop() {
            if let Key::Tail(_, id, _) = key {
                self.unfinished.insert((chat, id));
            }
            let read = log.messages_at(key);
            reading.known.extend(read.iter().map(|message| message.id));
            reading.messages.extend(read);
            if reading.keys.is_empty() {
                let order = |message: &Message| Reverse((message.seq, message.id));
                reading.messages.sort_by_key(order);
            }
        } else if let Some(message) = reading.messages.pop() {
            self.add(log, chat, &message, utc_offset);
        } else {
            let mut known = self.words.messages_of(chat);
            known.retain(|id| !reading.known.contains(id));
            known.into_iter().for_each(|id| self.remove(chat, id));
            return None;
        }
        Some(reading)
    }

    fn add<S: Store>(&mut self, log: &Log<S>, chat: Id, message: &Message, utc_offset: i64) {
        let id = message.id;
        let is_new = !self.words.contains(chat, Some(id));
        if is_new {
            let text = &message.content;
            self.words.add(chat, Some(id), message.created, text);
        }
        if log.is_removed(chat, id) {
            self.hidden.insert((chat, id));
        }
        if !message.is_sendable() {
            return;
        }
        let order = (message.seq, id);
        if self.newest.get(&chat).is_none_or(|newest| *newest < order) {
            self.newest.insert(chat, order);
            let local_ms = message.created.saturating_add_signed(utc_offset);
            self.terms.add(chat, id, &message.content, local_ms);
        } else if is_new {
            self.has_stale_terms = true;
            self.enqueue(log, chat);
        }
    }

    /// Queues a chat to be read, unless it is gone.
    fn enqueue<S: Store>(&mut self, log: &Log<S>, chat: Id) {
        if !log.is_gone(chat) && !self.queue.contains(&chat) {
            self.queue.push(chat);
        }
    }

    /// Removes what the recall has of messages that are gone, and of queued chats.
    fn sweep_terms(&mut self) {
        self.has_stale_terms = false;
        let queued: BTreeSet<Id> = self.queue.iter().copied().collect();
        self.newest.retain(|chat, _| !queued.contains(chat));
        let words = &self.words;
        self.terms.retain(&|chat, message| {
            !queued.contains(&chat) && words.contains(chat, Some(message))
        });
    }

    /// The messages and titles that contain all words of a query, newest first.
    pub fn search<S: Store>(&self, log: &mut Log<S>, query: &SearchQuery) -> Vec<SearchHit> {
        let mut hits = self.words.search(query, &mut |hit| {
            let message = log.find_message(hit.chat, hit.message?)?;
            Some(message.content)
        });
        let is_hidden = |hit: &SearchHit| {
            let message = hit.message.map(|id| (hit.chat, id));
            message.is_some_and(|message| self.hidden.contains(&message))
        };
        hits.retain(|hit| !is_hidden(hit));
        hits
    }

    /// The messages that fit a prompt, best first; see [`RecallIndex::recall`]. Only those that pass `may` (chat,
    /// message) are returned.
    #[must_use]
    pub fn recall(&self, prompt: RecallPrompt<'_>, may: &dyn Fn(Id, Id) -> bool) -> Vec<Recalled> {
        self.terms.recall(prompt, &|chat, message| {
            let is_there = self.words.contains(chat, Some(message));
            is_there && !self.hidden.contains(&(chat, message)) && may(chat, message)
        })
    }
}
