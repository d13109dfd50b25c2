//! Chats of Sash's own files: exports, and what the page without a program writes.

use super::super::lines::{self, Line};
use super::split::span;
use super::{AHEAD, Incoming, MAX_MESSAGE, MAX_NAME, MAX_SEQ, MAX_TITLE, Notes};
use crate::form::FORM;
use crate::pack::unsqueeze;
use crate::tail::{Piece, interrupted};
use crate::{Key, RecordError, read_record};
use sash_chat::json::{self, Fields, FromJson};
use sash_chat::{Head, Id, Message, Outcome};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Reads one chat out of the lines that belong to it.
pub fn read(text: &str, of: &[Range<usize>], chat: Id, now: u64) -> Incoming {
    let mut book = Book {
        head: None,
        messages: BTreeMap::new(),
        tails: BTreeMap::new(),
        removed: BTreeMap::new(),
        deleted: None,
        notes: Notes::default(),
        now,
    };
    for at in of {
        book.line(text.get(at.clone()).unwrap_or_default());
    }
    book.finish_tails();
    book.incoming(chat)
}

struct Book {
    head: Option<Head>,
    messages: BTreeMap<Id, Message>,
    /// The pieces of answers by number, with `None` for one that is damaged.
    tails: BTreeMap<Id, BTreeMap<u32, Option<Value>>>,
    removed: BTreeMap<Id, Value>,
    deleted: Option<u64>,
    notes: Notes,
    now: u64,
}

impl Book {
    fn line(&mut self, line: &str) {
        let Line::Record { key, crc, data } = lines::parse(line) else {
            self.notes.aside += 1;
            return;
        };
        let read = Key::parse(key).map(|key| (key, record(crc, data)));
        match read {
            Some((key, Ok(value))) => {
                if self.take(key, &value).is_none() {
                    self.notes.damaged += 1;
                }
            }
            read => {
                if let Some((Key::Tail(_, id, n), _)) = read {
                    self.tails.entry(id).or_default().entry(n).or_default();
                }
                self.notes.damaged += 1;
            }
        }
    }

    fn take(&mut self, key: Key, value: &Value) -> Option<()> {
        match key {
            Key::Head(chat) => {
                let head = Head::from_json(value)?;
                self.head.get_or_insert(Head { id: chat, ..head });
            }
            // The key is the truth for what orders the messages.
            Key::Message(_, seq, id) => {
                let message = Message::from_json(value)?;
                self.message(Message { seq, id, ..message });
            }
            Key::Tail(_, id, n) => {
                let pieces = self.tails.entry(id).or_default();
                pieces.insert(n, Some(value.clone()));
            }
            Key::Tombstone(_) => {
                let at = value.as_u64().or_else(|| value.number("at"))?;
                self.deleted = Some(at.min(self.now + AHEAD));
            }
            Key::Removed(_, id) => {
                self.removed.insert(id, tombstone(value, self.now)?);
            }
            Key::Segment(..) => {
                for line in unsqueeze(value.as_str()?)?.lines() {
                    let value = json::parse(line.as_bytes()).ok()?;
                    let message = Message::from_json(&value)?;
                    self.message(message);
                }
            }
            Key::Meta | Key::Settings | Key::Import(_) | Key::Draft(_) | Key::Reserve => {}
        }
        Some(())
    }

    fn message(&mut self, message: Message) {
        if let Some(known) = self.messages.get(&message.id) {
            // The same once more is nothing: a chat may be packed and not yet cleared away.
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

    /// Makes interrupted answers of the tails without a final record, as `Log::load` does.
    fn finish_tails(&mut self) {
        for (id, pieces) in std::mem::take(&mut self.tails) {
            if self.messages.contains_key(&id) {
                continue;
            }
            let last = self.messages.values().map(|m| (m.seq, m.id)).max();
            let begun = pieces
                .get(&0)
                .and_then(|first| Message::from_json(first.as_ref()?));
            let begun = begun.map(|begun| Message { id, ..begun });
            let is_lost = begun.is_none();
            let after = pieces.iter().filter(|(n, _)| **n > 0);
            let after = after.map(|(n, piece)| (*n, piece.as_ref().and_then(Piece::from_json)));
            let message = interrupted(id, begun, after, last);
            let is_empty = message.content.is_empty() && message.thinking.is_empty();
            if !(is_lost && is_empty) {
                self.message(message);
            }
        }
    }

    fn incoming(self, chat: Id) -> Incoming {
        let mut messages: Vec<Message> = self.messages.into_values().collect();
        messages.sort_by_key(|m| (m.seq, m.id));
        let first = messages.first().map_or(0, |m| m.created);
        let head = self.head.unwrap_or_else(|| Head::new(chat, first));
        let mut incoming = Incoming {
            head,
            messages,
            removed: self.removed.into_iter().collect(),
            deleted: self.deleted,
            foreign: false,
            notes: self.notes,
        };
        bound_head(&mut incoming, self.now);
        incoming
    }
}

/// The payload of a line, once its checksum fits and its parts are few.
fn record(crc: &str, data: &str) -> Result<Value, RecordError> {
    let small = span(data, 0).is_some_and(|span| span.is_small && span.at.end == data.len());
    if !small {
        return Err(RecordError::Damaged);
    }
    read_record(&FORM.write_with(crc, data))
}

/// The tombstone of a message, in its known fields alone.
fn tombstone(value: &Value, now: u64) -> Option<Value> {
    let mut out = json!({
        "at": value.number::<u64>("at")?.min(now + AHEAD),
        "seq": value.number::<u32>("seq").filter(|seq| *seq <= MAX_SEQ)?,
        "role": sash_chat::Role::parse(&value.text("role")?),
    });
    if value.flag("purged") {
        out["purged"] = json!(true);
    }
    if let Some(parent) = value.item::<Id>("parent") {
        out["parent"] = json!(parent);
    }
    Some(out)
}

/// A message whose times, names and lengths are within bounds; `None` for one that is too long.
pub fn within_bounds(mut message: Message, now: u64) -> Option<Message> {
    if message.content.len() + message.thinking.len() > MAX_MESSAGE {
        return None;
    }
    message.created = message.created.min(now + AHEAD);
    shorten(&mut message.model, MAX_NAME);
    shorten(&mut message.tool_name, MAX_NAME);
    if let Outcome::Failed(why) = &mut message.outcome {
        why.sentence = why.sentence.chars().take(MAX_TITLE * 4).collect();
        shorten(&mut why.code, MAX_NAME);
    }
    // What else a record may hold has no bound of its own.
    let whole = serde_json::to_string(&message).map_or(usize::MAX, |text| text.len());
    // A text of control characters grows by six in JSON.
    (whole <= MAX_MESSAGE * 6).then_some(message)
}

fn shorten(text: &mut Option<String>, longest: usize) {
    if let Some(long) = text.as_mut().filter(|t| t.chars().count() > longest) {
        *long = long.chars().take(longest).collect();
    }
}

/// Brings what is known of a chat within bounds, and lets it name no message that the chat does not have.
pub fn bound_head(incoming: &mut Incoming, now: u64) {
    let messages = &incoming.messages;
    let removed = incoming.removed.iter().map(|(gone, _)| *gone);
    let ids: BTreeSet<Id> = messages.iter().map(|m| m.id).chain(removed).collect();
    let head = &mut incoming.head;
    // It comes unpacked.
    head.packed = None;
    head.created = head.created.min(now + AHEAD);
    head.title = head.title.take().filter(|title| !title.trim().is_empty());
    shorten(&mut head.title, MAX_TITLE);
    shorten(&mut head.model, MAX_NAME);
    // It counts rewrites: one at its highest would be followed by the lowest.
    head.rev = head.rev.min(1 << 30);
    let there = |id: &Id| ids.contains(id);
    for list in [&mut head.pins, &mut head.mutes, &mut head.cleared] {
        list.retain(there);
    }
    head.at = head.at.filter(|at| there(&at.leaf) && at.seq <= MAX_SEQ);
    if head.systems.iter().map(String::len).sum::<usize>() > MAX_MESSAGE {
        head.systems.clear();
    }
    head.system = head.system.filter(|n| (*n as usize) < head.systems.len());
}
