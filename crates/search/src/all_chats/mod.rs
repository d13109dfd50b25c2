//! The one index: what the search finds in all chats, what is recalled from them, and what of the branch that is shown.
//! It reads the log by its keys, in steps, and follows the keys that change (`changes`); it holds words, and no text.

mod changes;
#[cfg(test)]
mod tests;

use crate::recall::{RecallPrompt, RecallScope, Recalled};
use crate::{MessageIndex, SearchHit, SearchQuery};
use sash_chat::{Id, Message, Outcome};
use sash_log::{Key, KeyValue, Log, LogChange};
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

/// The index of the chats, and what is left to do for it.
///
/// It begins empty, and has what is added of the chat that is shown; [`Self::read_all`] has it read all chats.
///
/// A chat whose messages were packed or removed is queued and read again: what is known of it stays, and what it no longer
/// has goes.
#[derive(Default)]
pub struct AllChatsIndex {
    messages: MessageIndex,
    /// Answers that were read before their end, with the length that their text had.
    unfinished: BTreeMap<(Id, Id), usize>,
    titles: BTreeMap<Id, String>,
    /// Messages that are in the trash, or of a chat that is not stored: only the branch that is shown has them.
    hidden: BTreeSet<(Id, Id)>,
    /// Whether all chats are or were read. Before, changes of chats of which it has nothing are passed over.
    reads_all: bool,
    /// Changes of the log, the oldest first.
    changes: VecDeque<LogChange>,
    /// The chats that are to be read, the next one last.
    queue: Vec<Id>,
    reading: Option<ChatReading>,
}

impl AllChatsIndex {
    /// An empty index, which follows the log.
    pub fn new<S: KeyValue>(log: &mut Log<S>) -> Self {
        log.follow_changes();
        Self::default()
    }

    /// Has all chats read, in this order. Who has their list gives it: reading thousands of heads again takes long. Returns
    /// false if it did so before.
    pub fn read_all(&mut self, chats: impl DoubleEndedIterator<Item = Id>) -> bool {
        if self.reads_all {
            return false;
        }
        self.reads_all = true;
        self.queue = chats.rev().collect();
        true
    }

    /// Whether all chats are or were read.
    #[must_use]
    pub fn reads_all(&self) -> bool {
        self.reads_all
    }

    /// How many messages and titles can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len().saturating_sub(self.hidden.len())
    }

    /// Whether nothing can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does one piece of work: a record, a segment or a message, or the sweep. `utc_offset` is the reader's, in
    /// milliseconds. Returns whether there was anything to do.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>, utc_offset: i64) -> bool {
        self.changes.extend(log.take_changes());
        if let Some(reading) = self.reading.take() {
            self.reading = self.read_on(log, reading, utc_offset);
        } else if let Some(change) = self.changes.pop_front() {
            self.apply(log, change, utc_offset);
        } else if self.messages.is_stale() {
            self.messages.sweep();
        } else if let Some(chat) = self.queue.pop() {
            self.reading = self.begin_chat(log, chat);
        } else {
            return false;
        }
        true
    }

    fn begin_chat<S: KeyValue>(&mut self, log: &mut Log<S>, chat: Id) -> Option<ChatReading> {
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
    fn read_on<S: KeyValue>(
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
            let known = self.messages.messages_of(chat).flatten();
            let gone: Vec<Id> = known.filter(|id| !reading.known.contains(id)).collect();
            gone.into_iter().for_each(|id| self.remove(chat, id));
            return None;
        }
        Some(reading)
    }

    fn add<S: KeyValue>(&mut self, log: &Log<S>, chat: Id, message: &Message, utc_offset: i64) {
        if !self.has(chat, message) {
            self.messages.add(chat, message, utc_offset);
            let key = (chat, message.id);
            match message.outcome {
                Outcome::Interrupted => _ = self.unfinished.insert(key, message.content.len()),
                _ => _ = self.unfinished.remove(&key),
            }
        }
        self.hide(log, chat, message.id);
    }

    /// Whether it has this text of a message. An interrupted answer may be one that another tab is writing, or that goes on:
    /// it may be longer now, or whole.
    fn has(&self, chat: Id, message: &Message) -> bool {
        let is_same = |length: &usize| {
            message.outcome == Outcome::Interrupted && *length == message.content.len()
        };
        let unfinished = self.unfinished.get(&(chat, message.id));
        self.messages.contains(chat, Some(message.id)) && unfinished.is_none_or(is_same)
    }

    /// Adds a message as the page has it. Returns false if it has it already, or its chat is deleted: what another tab
    /// deletes is shown a moment longer.
    pub fn add_shown<S: KeyValue>(
        &mut self,
        log: &Log<S>,
        chat: Id,
        message: &Message,
        utc_offset: i64,
    ) -> bool {
        let is_new = !self.has(chat, message) && !log.is_deleted(chat);
        if is_new {
            self.add(log, chat, message, utc_offset);
        }
        is_new
    }

    /// Hides a message that is in the trash or whose chat is not stored, because it is a temporary one or the log was
    /// cleared while it was shown; and no other one.
    fn hide<S: KeyValue>(&mut self, log: &Log<S>, chat: Id, id: Id) {
        let is_stored = log.chat_keys().contains_key(&chat);
        match !is_stored || log.is_removed(chat, id) {
            true => self.hidden.insert((chat, id)),
            false => self.hidden.remove(&(chat, id)),
        };
    }

    /// Queues a chat to be read, unless it is gone.
    fn enqueue<S: KeyValue>(&mut self, log: &Log<S>, chat: Id) {
        if !log.is_gone(chat) && !self.queue.contains(&chat) {
            self.queue.push(chat);
        }
    }

    /// The messages and titles that contain all words of a query, newest first.
    pub fn search<S: KeyValue>(&self, log: &mut Log<S>, query: &SearchQuery) -> Vec<SearchHit> {
        let mut hits = self.messages.search(query, &mut |hit| {
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

    /// The messages that fit a prompt, best first; see [`RecallScope::recall`]. Only those that pass `may` (chat,
    /// message) are returned.
    #[must_use]
    pub fn recall(&self, prompt: RecallPrompt<'_>, may: &dyn Fn(Id, Id) -> bool) -> Vec<Recalled> {
        let all = self.messages.all();
        all.recall(prompt, &|chat, message| {
            !self.hidden.contains(&(chat, message)) && may(chat, message)
        })
    }

    /// The messages of a branch of a chat, in their order, as far as they were added.
    #[must_use]
    pub fn branch(&self, chat: Id, path: impl IntoIterator<Item = Id>) -> RecallScope<'_> {
        self.messages.branch(chat, path)
    }
}
