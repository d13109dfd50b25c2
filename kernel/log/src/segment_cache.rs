//! The segments that were unpacked last.

use crate::Key;
use sash_chat::{Id, Message};
use std::collections::VecDeque;

/// The most bytes of text that stay unpacked: some 17 segments.
const MAX_CACHED_BYTES: usize = 1 << 20;

/// Unpacked segments, the one that was used last first.
#[derive(Debug, Default)]
pub(crate) struct SegmentCache(VecDeque<UnpackedSegment>);

#[derive(Debug)]
struct UnpackedSegment {
    key: Key,
    bytes: usize,
    messages: Vec<Message>,
}

impl SegmentCache {
    /// The messages of a segment, if it is still unpacked.
    pub(crate) fn get(&mut self, key: Key) -> Option<&[Message]> {
        self.first(|segment| segment.key == key)
    }

    /// A message of a chat, if its segment is still unpacked: who looks for one after the other would otherwise unpack all
    /// segments of a large chat for each.
    pub(crate) fn find(&mut self, chat: Id, id: Id) -> Option<Message> {
        let is_it = |message: &Message| message.id == id;
        let messages = self.first(|segment| {
            segment.key.chat() == Some(chat) && segment.messages.iter().any(is_it)
        })?;
        messages.iter().find(|message| message.id == id).cloned()
    }

    fn first(&mut self, is_it: impl Fn(&UnpackedSegment) -> bool) -> Option<&[Message]> {
        let at = self.0.iter().position(is_it)?;
        let segment = self.0.remove(at)?;
        self.0.push_front(segment);
        self.0.front().map(|segment| &*segment.messages)
    }

    /// Keeps the messages of a segment whose text has that many bytes, in the place of those that were not used for
    /// longest. A segment that is larger than all that may be kept is not kept.
    pub(crate) fn put(&mut self, key: Key, bytes: usize, messages: Vec<Message>) {
        if bytes > MAX_CACHED_BYTES {
            return;
        }
        while self.bytes() + bytes > MAX_CACHED_BYTES {
            self.0.pop_back();
        }
        self.0.push_front(UnpackedSegment {
            key,
            bytes,
            messages,
        });
    }

    /// Forgets a segment that changed.
    pub(crate) fn forget(&mut self, key: Key) {
        self.0.retain(|segment| segment.key != key);
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|segment| segment.bytes).sum()
    }
}
