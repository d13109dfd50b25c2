//! Reads packed messages.

use super::segment::decompress;
use crate::{Key, KeyValue, Log};
use sash_chat::{Id, Message};

/// A packed message: its payload as written, and the parsed message.
pub(super) struct SegmentLine {
    pub(super) text: String,
    pub(super) message: Message,
}

impl<S: KeyValue> Log<S> {
    /// The packed messages of a chat, in order, deleted ones included. A segment that is damaged, or unpacks
    /// to more than any segment holds, is moved aside and kept.
    pub fn unpack_messages(&mut self, chat: Id) -> Vec<Message> {
        self.unpack_lines(chat)
            .into_iter()
            .map(|line| line.message)
            .collect()
    }

    /// The payloads of the packed messages, as they were written.
    pub fn unpack_payloads(&mut self, chat: Id) -> Vec<String> {
        self.unpack_lines(chat)
            .into_iter()
            .map(|line| line.text)
            .collect()
    }

    /// The messages of one segment.
    pub fn unpack_part(&mut self, chat: Id, n: u32) -> Vec<Message> {
        let text = self.unpack_segment(Key::Segment(chat, n));
        messages_of(&text.unwrap_or_default())
    }

    /// A message of a segment. The segments that were unpacked last are kept for it, so that neighbours, which are
    /// often read together, cost one unpacking.
    pub(crate) fn packed_message(&mut self, key: Key, id: Id) -> Option<Message> {
        let message_of = |messages: &[Message]| messages.iter().find(|m| m.id == id).cloned();
        if let Some(messages) = self.segment_cache.get(key) {
            return message_of(messages);
        }
        let text = self.unpack_segment(key)?;
        let messages = messages_of(&text);
        let found = message_of(&messages);
        self.segment_cache.put(key, text.len(), messages);
        found
    }

    fn unpack_lines(&mut self, chat: Id) -> Vec<SegmentLine> {
        let mut lines: Vec<SegmentLine> = Vec::new();
        for n in self.segments(chat) {
            let text = self
                .unpack_segment(Key::Segment(chat, n))
                .unwrap_or_default();
            lines.extend(text.lines().filter_map(read_line));
        }
        lines.sort_by_key(|line| (line.message.seq, line.message.id));
        // A message is in two segments where the page closed before the former one was removed.
        lines.dedup_by_key(|line| line.message.id);
        lines
    }

    /// The numbers of a chat's segments, in order.
    pub(crate) fn segments(&self, chat: Id) -> Vec<u32> {
        let keys = self.keys_of(chat);
        keys.into_iter()
            .flat_map(|k| k.segments.iter())
            .copied()
            .collect()
    }

    /// The decompressed text of a segment.
    pub(super) fn unpack_segment(&mut self, key: Key) -> Option<String> {
        let packed = self.read::<String>(key)?;
        let text = decompress(&packed);
        if text.is_none() {
            self.quarantine(key);
        }
        text
    }
}

fn messages_of(text: &str) -> Vec<Message> {
    let lines = text.lines().filter_map(read_line);
    lines.map(|line| line.message).collect()
}

/// Parses a line. A line that a later version wrote in another form is skipped.
pub(super) fn read_line(text: &str) -> Option<SegmentLine> {
    let message = serde_json::from_str(text).ok()?;
    let text = text.to_owned();
    Some(SegmentLine { text, message })
}
