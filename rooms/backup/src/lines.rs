//! What a browser hands over of a chat: the lines of its copy, written record by record, because a chat of thousands of
//! messages is handed over often and may not hold up the page; and by which it knows that nothing has changed since.

use crate::clock::{SHELF, field_values, is_chat_purged, is_purged, read, shelf_keys, shelf_value};
use crate::key::sha256;
use sash_chat::{Head, Id, ImageHash, Message};
use sash_form::lines;
use sash_log::{Key, KeyValue, Log, encode_record, is_checksum, split_record};
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};

/// By this a line is known that may name images.
pub(crate) const IMAGES: &str = "\"images\":[";
/// By this the record of an answer is known of which there may be more elsewhere.
const INTERRUPTED: &str = "\"outcome\":\"interrupted\"";
/// The digits of a state.
const STATE_DIGITS: usize = 32;

/// The lines of a chat that is being handed over. What its log gets meanwhile may be in them or not. A record that cannot be
/// read is left out: what the former copy has of it stays there.
#[derive(Debug)]
pub struct CopyLines {
    chat: Id,
    keys: VecDeque<Key>,
    /// The lines so far.
    pub lines: String,
    /// The answers among them that have no end yet.
    pub running: BTreeSet<Id>,
}

impl CopyLines {
    /// Starts with a chat, or with the shelf.
    #[must_use]
    pub fn new<S: KeyValue>(log: &Log<S>, chat: Id) -> Self {
        Self {
            chat,
            keys: keys_of(log, chat).into(),
            lines: String::new(),
            running: BTreeSet::new(),
        }
    }

    /// Writes the next record. Returns whether there was one.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> bool {
        let Some(key) = self.keys.pop_front() else {
            return false;
        };
        match key {
            Key::Head(_) => {
                if let Some(head) = log.read::<Head>(key) {
                    // The messages are written unpacked.
                    let head = Head {
                        packed: None,
                        ..head
                    };
                    self.lines += &line(key, &head);
                }
            }
            Key::Record(..) => {
                if let Some(value) = shelf_value(log, key) {
                    self.lines += &line(key, &value);
                }
            }
            Key::Message(_, _, id) if is_purged(log, self.chat, id) => {}
            // As it was written: nothing of it is parsed.
            Key::Message(..) | Key::Removed(..) | Key::Tombstone(_) => {
                self.lines += &whole_line(log, key).unwrap_or_default();
            }
            _ => {
                for message in messages_of(log, key) {
                    if is_purged(log, self.chat, message.id) {
                        continue;
                    }
                    if matches!(key, Key::Tail(..)) {
                        self.running.insert(message.id);
                    }
                    let key = Key::Message(self.chat, message.seq, message.id);
                    self.lines += &line(key, &message);
                }
            }
        }
        true
    }
}

/// The records of a chat that a copy has, or of the shelf; none of a chat of which there is nothing.
fn keys_of<S: KeyValue>(log: &Log<S>, chat: Id) -> Vec<Key> {
    if chat == SHELF {
        return shelf_keys(log);
    }
    let mut keys = Vec::new();
    let of = log.chat_keys().get(&chat);
    let of = of.filter(|of| of.has_something() || !of.tails.is_empty());
    // What another tab wrote late into a chat that was deleted for good is not handed over.
    if let Some(of) = of.filter(|_| !is_chat_purged(log, chat)) {
        keys.extend(of.head.then_some(Key::Head(chat)));
        keys.extend(of.deleted.then_some(Key::Tombstone(chat)));
        keys.extend(of.removed.iter().map(|id| Key::Removed(chat, *id)));
        keys.extend(log.contents(chat).into_iter().rev());
    }
    keys
}

/// The messages of a record: of a segment all, of a tail none once its answer has its final record.
pub(crate) fn messages_of<S: KeyValue>(log: &mut Log<S>, key: Key) -> Vec<Message> {
    match key {
        Key::Segment(..) => log.messages_at(key),
        _ => log.message(key).into_iter().collect(),
    }
}

/// The line of an undamaged record.
fn whole_line<S: KeyValue>(log: &Log<S>, key: Key) -> Option<String> {
    let name = key.to_string();
    let record = log.record(&name)?;
    let (crc, payload) = split_record(&record)?;
    let is_whole = is_checksum(crc, payload);
    is_whole.then(|| lines::line(&name, &record)).flatten()
}

fn line<T: Serialize>(key: Key, value: &T) -> String {
    // The record was just encoded in the form that `line` accepts.
    lines::line(&key.to_string(), &encode_record(value)).unwrap_or_default()
}

/// All that looks like the hash of an image in a text, so that an image that any file may need stays.
#[must_use]
pub fn image_hashes(text: &str) -> BTreeSet<ImageHash> {
    let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let runs = text.split(|c| !digits(c));
    runs.filter_map(|run| run.parse().ok()).collect()
}

/// Says by a short text what is stored of a chat, or of the shelf: another one after each change that is to be handed over, and
/// the same in two browsers that have the same of it. What each browser keeps for itself, such as the position in the chat, does
/// not count. `None` for a chat of which there is nothing.
#[must_use]
pub fn chat_state<S: KeyValue>(log: &Log<S>, chat: Id) -> Option<String> {
    let keys = keys_of(log, chat);
    if keys.is_empty() && chat != SHELF {
        return None;
    }
    let pieces = log.chat_keys().get(&chat).map(|keys| keys.tails.len());
    let mut said = format!("{pieces:?}\n");
    for key in keys {
        said += &format!("{key}\n");
        // A message never changes, so its key stands for it, but for the beginning of an answer.
        let record = match key {
            Key::Message(..) => log.record(&key.to_string()),
            _ => None,
        };
        said += &record
            .filter(|it| it.contains(INTERRUPTED))
            .unwrap_or_default();
    }
    for (name, value) in field_values(log, chat).unwrap_or_default() {
        said += &format!("{name} {value}\n");
    }
    // System prompts and summaries have other places in each browser.
    if let Some(head) = read::<Head, _>(log, Key::Head(chat)) {
        let mut texts = head.systems;
        texts.extend(head.summaries.into_iter().map(|summary| summary.text));
        texts.sort_unstable();
        said += &texts.join("\n");
    }
    let mut state = sha256(&said);
    state.truncate(STATE_DIGITS);
    Some(state)
}
