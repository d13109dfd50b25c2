//! Packs a chat.

use super::segment::{MAX_SEGMENT_BYTES, SEGMENT_BYTES, compress};
use super::unpack::{SegmentLine, read_line};
use crate::form::FORM;
use crate::record::split_checked;
use crate::{Key, KeyValue, Log, StoreError, encode_record};
use sash_chat::{Chat, Head, Id, Message, Packed};
use std::collections::HashSet;
use std::hash::Hash;

/// The least gain worth a segment, in UTF-16 units.
const MIN_GAIN_UNITS: usize = 400;

/// The gain of packing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackingGain {
    /// How many messages were packed.
    pub messages: usize,
    /// Their size before, keys included, in UTF-16 units.
    pub before: usize,
    /// Their size after.
    pub after: usize,
}

/// Why a chat was not packed, or only in part. Nothing is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPacked {
    /// An answer in it is running, or something of the log waits for room.
    Busy,
    /// The store refused a segment.
    Store(StoreError),
}

/// A segment to be written.
pub(super) struct Segment {
    text: String,
    pub(super) record: String,
    /// The raw records it replaces.
    raw: Vec<Key>,
}

impl Segment {
    /// Its size with its key, in UTF-16 units.
    pub(super) fn units(&self, chat: Id) -> usize {
        units(&self.record) + units(&Key::Segment(chat, 0).to_string())
    }
}

/// Length of a text in UTF-16 units, which is what a browser counts.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

impl<S: KeyValue> Log<S> {
    /// What packing a chat would gain. Writes nothing.
    ///
    /// # Errors
    /// [`NotPacked::Busy`].
    pub fn estimate_gain(&mut self, chat: Id) -> Result<PackingGain, NotPacked> {
        Ok(self
            .plan(chat)?
            .map_or_else(PackingGain::default, |plan| plan.gain))
    }

    /// Packs the messages of a chat, except deleted and damaged ones. A chat that would gain nothing is left
    /// unchanged.
    ///
    /// # Errors
    /// [`NotPacked`]; the segments written before it stay packed, the other messages stay raw.
    pub fn pack(&mut self, chat: Id) -> Result<PackingGain, NotPacked> {
        self.remove_packed_raw(chat)?;
        let Some(plan) = self.plan(chat)? else {
            return Ok(PackingGain::default());
        };
        // Write the head first: once raw records are deleted, its summary is the only source for the chat
        // list.
        self.put(Key::Head(chat), &encode_record(&plan.head))?;
        let first = self.segments(chat).last().map_or(0, |n| n + 1);
        let mut begun = plan.begun;
        for (n, segment) in (first..).zip(plan.segments) {
            let key = Key::Segment(chat, n);
            self.put(key, &segment.record)?;
            // Compare what the store holds, not what was passed to it.
            let same = self
                .unpack_segment(key)
                .is_some_and(|text| text == segment.text);
            if !same {
                self.remove(key);
                return Err(NotPacked::Store(StoreError::Refused));
            }
            for raw in segment.raw {
                self.remove(raw);
            }
            if let Some(begun) = begun.take() {
                self.remove(begun);
            }
        }
        self.write_waiting();
        Ok(plan.gain)
    }

    pub(super) fn put(&mut self, key: Key, record: &str) -> Result<(), NotPacked> {
        let name = key.to_string();
        self.store.set(&name, record).map_err(NotPacked::Store)?;
        self.on_key_change(&name, true);
        Ok(())
    }

    /// Removes raw records that are already packed; a crash can leave them.
    fn remove_packed_raw(&mut self, chat: Id) -> Result<(), NotPacked> {
        self.is_idle(chat)?;
        if self.segments(chat).is_empty() {
            return Ok(());
        }
        let packed = self.unpack_payloads(chat);
        let raw = self.raw_lines(chat);
        let known = packed.iter().map(String::as_str);
        let (packed, _) = split_known(raw, known, |(_, line)| line.text.as_str());
        for (key, _) in packed {
            self.remove(key);
        }
        Ok(())
    }

    fn is_idle(&self, chat: Id) -> Result<(), NotPacked> {
        let busy = self.keys_of(chat).is_none_or(|keys| !keys.tails.is_empty());
        match busy || self.waits(chat) {
            true => Err(NotPacked::Busy),
            false => Ok(()),
        }
    }

    /// The raw records of a chat that can be packed.
    fn raw_lines(&mut self, chat: Id) -> Vec<(Key, SegmentLine)> {
        let Some(keys) = self.keys_of(chat) else {
            return Vec::new();
        };
        let of = keys.messages.iter();
        // Deleted messages stay raw, so that each can be restored or purged by itself.
        let names: Vec<(u32, Id)> = of
            .filter(|(_, id)| !keys.removed.contains(id))
            .copied()
            .collect();
        let mut lines = Vec::with_capacity(names.len());
        for (seq, id) in names {
            let key = Key::Message(chat, seq, id);
            let record = self.store.get(&key.to_string()).unwrap_or_default();
            // Only records of the present form: a line of a segment does not state its version.
            let payload = split_checked(&record, FORM.version)
                .ok()
                .filter(|(version, _)| *version == FORM.version)
                .map_or("", |(_, payload)| payload);
            let plain = payload.len() <= MAX_SEGMENT_BYTES && !payload.contains(['\n', '\r']);
            let line =
                read_line(payload).filter(|line| (line.message.seq, line.message.id) == (seq, id));
            if let Some(line) = line.filter(|_| plain) {
                lines.push((key, line));
            }
        }
        lines
    }

    /// Plans the segments; `None` where nothing would be gained.
    fn plan(&mut self, chat: Id) -> Result<Option<PackPlan>, NotPacked> {
        self.is_idle(chat)?;
        let raw = self.raw_lines(chat);
        let known = self.unpack_messages(chat);
        let ids = known.iter().map(|message| &message.id);
        let (_, raw) = split_known(raw, ids, |(_, line)| &line.message.id);
        if raw.is_empty() {
            return Ok(None);
        }
        let head = self
            .read(Key::Head(chat))
            .unwrap_or_else(|| Head::new(chat, 0));
        let of_raw = raw.iter().map(|(_, line)| line.message.clone());
        let packed = summary(&head, known.into_iter().chain(of_raw));
        let mut gain = PackingGain::default();
        // A last segment that is not full is rewritten together with the new messages.
        let last = self.segments(chat).last().map(|n| Key::Segment(chat, *n));
        let begun = last.and_then(|key| {
            let text = self.unpack_segment(key)?;
            let record = self.store.get(&key.to_string())?;
            gain.before += units(&record) + units(&key.to_string());
            Some((key, text)).filter(|(_, text)| text.len() < SEGMENT_BYTES / 2)
        });
        if begun.is_none() {
            gain.before = 0;
        }
        let (begun, first) = begun.unzip();
        gain.messages = raw.len();
        let lines = raw.into_iter().map(|(key, line)| (key, line.text));
        let lines: Vec<(Key, String)> = lines.collect();
        gain.before += lines.iter().map(units_of_line).sum::<usize>();
        let segments = segments_of(first.unwrap_or_default(), lines);
        gain.after = segments.iter().map(|of| of.units(chat)).sum();
        let head = Head {
            packed: Some(packed),
            rev: head.rev.wrapping_add(1),
            ..head
        };
        Ok(is_worth(&gain).then_some(PackPlan {
            head,
            segments,
            begun,
            gain,
        }))
    }
}

/// The size of a raw record with its key, in UTF-16 units.
pub(super) fn units_of_line((key, payload): &(Key, String)) -> usize {
    units(&key.to_string()) + units(payload) + FORM.overhead()
}

/// Whether a gain is worth the segments.
pub(super) fn is_worth(gain: &PackingGain) -> bool {
    gain.after + MIN_GAIN_UNITS < gain.before
}

/// What the head of a chat keeps of its packed messages.
pub(super) fn summary(head: &Head, messages: impl IntoIterator<Item = Message>) -> Packed {
    let mut all = Chat::new(Head {
        title: None,
        distinct: None,
        ..head.clone()
    });
    for message in messages {
        all.insert(message);
    }
    Packed {
        count: u32::try_from(all.len()).unwrap_or(u32::MAX),
        seq: all.newest().map_or(0, |m| m.seq),
        touched: all.newest().map_or(0, |m| m.created),
        title: all.title(),
    }
}

/// The segments of payloads; the first one begins with `first`, which may be empty.
pub(super) fn segments_of(first: String, lines: Vec<(Key, String)>) -> Vec<Segment> {
    let mut texts = vec![(first, Vec::new())];
    for (key, line) in lines {
        let full = texts
            .last()
            .is_none_or(|(text, _)| !text.is_empty() && text.len() + line.len() >= SEGMENT_BYTES);
        if full {
            texts.push((String::new(), Vec::new()));
        }
        if let Some((text, raw)) = texts.last_mut() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
            raw.push(key);
        }
    }
    let texts = texts.into_iter().map(|(text, raw)| Segment {
        record: encode_record(&compress(&text)),
        text,
        raw,
    });
    texts.collect()
}

/// The items that are among the known ones, and the others. A set, because a long chat has thousands of both.
pub(super) fn split_known<'k, T, N: Hash + Eq + ?Sized + 'k>(
    items: Vec<T>,
    known: impl Iterator<Item = &'k N>,
    name: impl Fn(&T) -> &N,
) -> (Vec<T>, Vec<T>) {
    let known: HashSet<&N> = known.collect();
    let is_known = |item: &T| known.contains(name(item));
    items.into_iter().partition(is_known)
}

/// A planned packing, up to the first write.
struct PackPlan {
    head: Head,
    segments: Vec<Segment>,
    /// The segment that the first of the new ones replaces.
    begun: Option<Key>,
    gain: PackingGain,
}
