//! The keys a chat has in the store, without their values.

use super::Key;
use sash_chat::Id;
use std::collections::BTreeSet;

/// The keys of one chat.
#[derive(Debug, Default)]
pub struct ChatKeys {
    /// Whether it has a head.
    pub head: bool,
    /// Whether it has a tombstone: it is in the trash, or was purged from it.
    pub deleted: bool,
    /// The messages that are not packed: place and id.
    pub messages: BTreeSet<(u32, Id)>,
    /// The pieces of unfinished answers: id and number.
    pub tails: BTreeSet<(Id, u32)>,
    /// The messages that have a tombstone.
    pub removed: BTreeSet<Id>,
    /// The numbers of its segments.
    pub segments: BTreeSet<u32>,
}

impl ChatKeys {
    /// Records that a key of this chat exists, or was removed.
    pub(super) fn on_key_change(&mut self, key: Key, there: bool) {
        match (key, there) {
            (Key::Head(_), _) => self.head = there,
            (Key::Tombstone(_), _) => self.deleted = there,
            (Key::Message(_, seq, id), true) => _ = self.messages.insert((seq, id)),
            (Key::Message(_, seq, id), false) => _ = self.messages.remove(&(seq, id)),
            (Key::Tail(_, id, n), true) => _ = self.tails.insert((id, n)),
            (Key::Tail(_, id, n), false) => _ = self.tails.remove(&(id, n)),
            (Key::Removed(_, id), true) => _ = self.removed.insert(id),
            (Key::Removed(_, id), false) => _ = self.removed.remove(&id),
            (Key::Segment(_, n), true) => _ = self.segments.insert(n),
            (Key::Segment(_, n), false) => _ = self.segments.remove(&n),
            (
                Key::Meta
                | Key::Settings
                | Key::Import(_)
                | Key::Record(..)
                | Key::Stop(_)
                | Key::Reserve,
                _,
            ) => {}
        }
    }

    /// All of them.
    pub(super) fn all(&self, chat: Id) -> Vec<Key> {
        let Self {
            head,
            deleted,
            messages,
            tails,
            removed,
            segments,
        } = self;
        let mut all = Vec::new();
        all.extend(head.then_some(Key::Head(chat)));
        all.extend(deleted.then_some(Key::Tombstone(chat)));
        let messages = messages.iter();
        all.extend(messages.map(|(seq, id)| Key::Message(chat, *seq, *id)));
        all.extend(tails.iter().map(|(id, n)| Key::Tail(chat, *id, *n)));
        all.extend(removed.iter().map(|id| Key::Removed(chat, *id)));
        all.extend(segments.iter().map(|n| Key::Segment(chat, *n)));
        all
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        let unseen = self.deleted || !self.tails.is_empty() || !self.removed.is_empty();
        !unseen && !self.has_something()
    }

    /// Whether the chat has anything to show.
    #[must_use]
    pub fn has_something(&self) -> bool {
        self.head || !self.messages.is_empty() || !self.segments.is_empty()
    }

    /// The answers that have a tail.
    pub(super) fn tailed(&self) -> Vec<Id> {
        let mut ids: Vec<Id> = self.tails.iter().map(|(id, _)| *id).collect();
        ids.dedup();
        ids
    }

    /// The answers that have a tail and no final record, in any order.
    pub(super) fn unfinished(&self) -> Vec<Id> {
        let mut ids = self.tailed();
        ids.retain(|id| self.messages.iter().all(|(_, known)| known != id));
        ids
    }

    /// The pieces of a tail, in order.
    pub(super) fn pieces(&self, id: Id) -> Vec<u32> {
        let of = self.tails.iter().filter(|(tail, _)| *tail == id);
        of.map(|(_, n)| *n).collect()
    }
}
