//! Reads chats of Sash's own files: exports, and what the page without a program writes.

use super::{
    ImportNotes, Incoming, MAX_AHEAD_MS, MAX_MESSAGE, MAX_NAME, MAX_PROMPTS, MAX_SEQ, MAX_TITLE,
    MAX_TOOLS, MAX_UNKNOWN,
};
use chat_exports::json::span;
use sash_chat::{Head, Id, Image, MAX_IMAGES, Message, Outcome};
use sash_form::lines::{self, ExportLine};
use sash_log::pack::decompress;
use sash_log::{
    Key, MessageTombstone, Stamped, TailPiece, Tombstone, interrupted_answer, is_checksum,
};
use sash_records::queue::{QUEUE, Queue, QueuedPrompt};
use sash_records::{FIELDS, KINDS};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Reads one chat from the lines that belong to it.
pub fn read(text: &str, of: &[Range<usize>], chat: Id, now: u64) -> Incoming {
    let mut collector = RecordCollector {
        head: None,
        messages: BTreeMap::new(),
        tails: BTreeMap::new(),
        removed: BTreeMap::new(),
        queue: None,
        deleted: None,
        notes: ImportNotes::default(),
        now,
    };
    for at in of {
        collector.line(text.get(at.clone()).unwrap_or_default());
    }
    collector.finish_tails();
    collector.incoming(chat)
}

/// Collects the records of one chat from its lines.
struct RecordCollector {
    head: Option<Head>,
    messages: BTreeMap<Id, Message>,
    tails: BTreeMap<Id, Tail>,
    removed: BTreeMap<Id, MessageTombstone>,
    queue: Option<Stamped<Queue>>,
    deleted: Option<u64>,
    notes: ImportNotes,
    now: u64,
}

/// An answer in pieces.
#[derive(Default)]
struct Tail {
    /// Piece 0.
    begun: Option<Message>,
    /// The pieces after it by number, with `None` for one that is damaged.
    pieces: BTreeMap<u32, Option<TailPiece>>,
}

impl RecordCollector {
    fn line(&mut self, line: &str) {
        let ExportLine::Record { key, crc, data } = lines::parse(line) else {
            self.notes.aside += 1;
            return;
        };
        let key = Key::parse(key, KINDS);
        let taken = key
            .filter(|_| is_intact(crc, data))
            .and_then(|key| self.add_record(key, data));
        if taken.is_none() {
            if let Some(Key::Tail(_, id, n)) = key {
                let tail = self.tails.entry(id).or_default();
                tail.pieces.entry(n).or_default();
            }
            self.notes.damaged += 1;
        }
    }

    /// Adds the record of a key; `None` for one that cannot be read.
    fn add_record(&mut self, key: Key, payload: &str) -> Option<()> {
        match key {
            Key::Head(chat) => {
                let head: Head = parse(payload)?;
                self.head.get_or_insert(Head { id: chat, ..head });
            }
            // The key determines the message's id and order, whatever the payload says.
            Key::Message(_, seq, id) => {
                let message: Message = parse(payload)?;
                self.message(Message { seq, id, ..message });
            }
            Key::Tail(_, id, 0) => {
                let begun: Message = parse(payload)?;
                self.tails.entry(id).or_default().begun = Some(Message { id, ..begun });
            }
            Key::Tail(_, id, n) => {
                let piece = parse(payload)?;
                self.tails
                    .entry(id)
                    .or_default()
                    .pieces
                    .insert(n, Some(piece));
            }
            Key::Tombstone(_) => {
                let tombstone: Tombstone = parse(payload)?;
                self.deleted = Some(tombstone.at.min(self.now + MAX_AHEAD_MS));
            }
            Key::Removed(_, id) => {
                let removed: MessageTombstone = parse(payload)?;
                (removed.seq <= MAX_SEQ).then_some(())?;
                let at = removed.at.min(self.now + MAX_AHEAD_MS);
                self.removed.insert(id, MessageTombstone { at, ..removed });
            }
            Key::Record(QUEUE, _) => {
                let queue: Stamped<Queue> = parse(payload)?;
                self.queue.get_or_insert(queue);
            }
            Key::Segment(..) => {
                for line in decompress(&parse::<String>(payload)?)?.lines() {
                    self.message(parse(line)?);
                }
            }
            Key::Meta
            | Key::Settings
            | Key::Import(_)
            | Key::Record(..)
            | Key::Stop(_)
            | Key::Reserve => {}
        }
        Some(())
    }

    fn message(&mut self, message: Message) {
        if let Some(known) = self.messages.get(&message.id) {
            // An identical message is no duplicate: a chat may be packed while its raw records still exist.
            let same = known.content == message.content && known.role == message.role;
            self.notes.doubled += usize::from(!same);
            return;
        }
        if message.seq > MAX_SEQ {
            self.notes.damaged += 1;
            return;
        }
        match within_bounds(message, self.now) {
            Some(message) => _ = self.messages.insert(message.id, message),
            None => self.notes.too_long += 1,
        }
    }

    /// Builds interrupted answers from the tails without a final record, as `Log::load` does.
    fn finish_tails(&mut self) {
        for (id, Tail { begun, pieces }) in std::mem::take(&mut self.tails) {
            if self.messages.contains_key(&id) {
                continue;
            }
            let last = self.messages.values().map(|m| (m.seq, m.id)).max();
            let is_lost = begun.is_none();
            let after = pieces.into_iter().filter(|(n, _)| *n > 0);
            let message = interrupted_answer(id, begun, after, last);
            let is_empty = message.content.is_empty() && message.thinking.is_empty();
            if !(is_lost && is_empty) {
                self.message(message);
            }
        }
    }

    fn incoming(self, chat: Id) -> Incoming {
        let mut messages: Vec<Message> = self.messages.into_values().collect();
        sort_messages(&mut messages);
        let first = messages.first().map_or(0, |m| m.created);
        let head = self.head.unwrap_or_else(|| Head::new(chat, first));
        let mut incoming = Incoming {
            head,
            messages,
            removed: self.removed.into_iter().collect(),
            queue: self.queue.unwrap_or_default(),
            deleted: self.deleted,
            foreign: false,
            former: Vec::new(),
            notes: self.notes,
        };
        bound_head(&mut incoming, self.now);
        bound_queue(&mut incoming.queue, self.now);
        incoming
    }
}

/// Whether a payload matches its checksum and has few enough parts to be parsed at once.
fn is_intact(crc: &str, payload: &str) -> bool {
    let is_small =
        span(payload, 0).is_some_and(|span| span.is_small && span.at.end == payload.len());
    is_small && is_checksum(crc, payload)
}

/// Brings messages into the order of writing.
pub fn sort_messages(messages: &mut [Message]) {
    messages.sort_by_key(|m| (m.seq, m.id));
}

fn parse<T: DeserializeOwned>(payload: &str) -> Option<T> {
    serde_json::from_str(payload).ok()
}

/// Clamps the times, names and lengths of a message; `None` for one that is too long.
pub fn within_bounds(mut message: Message, now: u64) -> Option<Message> {
    if message.content.len() + message.thinking.len() > MAX_MESSAGE {
        return None;
    }
    message.created = message.created.min(now + MAX_AHEAD_MS);
    if let Some(receipt) = &mut message.receipt {
        // It says which engine of this person has read what, and the file may be another person's.
        receipt.engine_address = None;
    }
    message.images.truncate(MAX_IMAGES);
    let images = message.images.into_iter();
    message.images = images.filter_map(Image::within_bounds).collect();
    shorten(&mut message.model, MAX_NAME);
    shorten(&mut message.tool_name, MAX_NAME);
    shorten(&mut message.tool_call_id, MAX_NAME);
    if let Outcome::Failed(why) = &mut message.outcome {
        why.sentence = why.sentence.chars().take(MAX_TITLE * 4).collect();
        shorten(&mut why.code, MAX_NAME);
    }
    // The other fields of a record have no bound of their own.
    let whole = serde_json::to_string(&message).map_or(usize::MAX, |text| text.len());
    // A control character takes six bytes in JSON.
    (whole <= MAX_MESSAGE * 6).then_some(message)
}

fn shorten(text: &mut Option<String>, longest: usize) {
    if let Some(long) = text.as_mut().filter(|t| t.chars().count() > longest) {
        *long = long.chars().take(longest).collect();
    }
}

/// Drops what is too long or too much of a queue. What is included in a prompt is found by its id when the prompt goes, so
/// ids of messages that are not there do no harm.
fn bound_queue(queue: &mut Stamped<Queue>, now: u64) {
    queue.at = queue.at.min(now + MAX_AHEAD_MS);
    queue.rev = queue.rev.min(1 << 30);
    let size = |value: &QueuedPrompt| serde_json::to_string(value).map_or(usize::MAX, |s| s.len());
    queue.content.prompts.retain_mut(|prompt| {
        prompt.images.truncate(MAX_IMAGES);
        let images = std::mem::take(&mut prompt.images).into_iter();
        prompt.images = images.filter_map(Image::within_bounds).collect();
        !prompt.text.trim().is_empty()
            && prompt.text.len() <= MAX_MESSAGE
            && size(prompt) <= MAX_MESSAGE * 6
    });
    queue.content.prompts.truncate(MAX_PROMPTS);
    let unknown =
        serde_json::to_string(&queue.content.unknown).map_or(usize::MAX, |text| text.len());
    if unknown > MAX_UNKNOWN {
        queue.content.unknown.clear();
    }
}

/// Drops the fields that a later version wrote if they are too long.
fn bound_newer(others: &mut Map<String, Value>) {
    let newer = others.iter().filter(|(name, _)| FIELDS.of(name).is_none());
    let length: usize = newer
        .map(|(name, value)| name.len() + value.to_string().len())
        .sum();
    if length > MAX_UNKNOWN {
        others.retain(|name, _| FIELDS.of(name).is_some());
    }
}

/// Clamps a head, and removes references to messages that the chat does not have.
pub fn bound_head(incoming: &mut Incoming, now: u64) {
    let messages = &incoming.messages;
    let removed = incoming.removed.iter().map(|(gone, _)| *gone);
    let ids: BTreeSet<Id> = messages.iter().map(|m| m.id).chain(removed).collect();
    let head = &mut incoming.head;
    // An import packs the messages itself.
    head.packed = None;
    head.created = head.created.min(now + MAX_AHEAD_MS);
    head.pinned = head.pinned.map(|at| at.min(now + MAX_AHEAD_MS));
    head.archived = head.archived.map(|at| at.min(now + MAX_AHEAD_MS));
    head.title = head.title.take().filter(|title| !title.trim().is_empty());
    shorten(&mut head.title, MAX_TITLE);
    shorten(&mut head.distinct, MAX_TITLE);
    shorten(&mut head.model, MAX_NAME);
    shorten(&mut head.engine, MAX_NAME);
    head.settings.tools.truncate(MAX_TOOLS);
    let same = |id: Id| ids.contains(&id).then_some(id);
    FIELDS.import(&mut head.others, &same);
    bound_newer(&mut head.others);
    if let Some(withheld) = &mut head.settings.withheld {
        withheld.others.retain(|name, _| FIELDS.of(name).is_some());
        FIELDS.import(&mut withheld.others, &same);
        bound_newer(&mut withheld.newer);
        shorten(&mut withheld.model, MAX_NAME);
        shorten(&mut withheld.engine, MAX_NAME);
        withheld.tools.truncate(MAX_TOOLS);
        let systems = head.systems.len();
        withheld.system = withheld.system.filter(|n| (*n as usize) < systems);
    }
    // The counter wraps around, so a rewrite of the highest value would look older.
    head.rev = head.rev.min(1 << 30);
    let there = |id: &Id| ids.contains(id);
    for list in [
        &mut head.settings.pins,
        &mut head.settings.mutes,
        &mut head.settings.cleared,
        &mut head.settings.unrecalled,
    ] {
        list.retain(there);
    }
    head.at = head.at.filter(|at| there(&at.leaf) && at.seq <= MAX_SEQ);
    if head.systems.iter().map(String::len).sum::<usize>() > MAX_MESSAGE {
        head.systems.clear();
    }
    head.settings.system = head
        .settings
        .system
        .filter(|n| (*n as usize) < head.systems.len());
}
