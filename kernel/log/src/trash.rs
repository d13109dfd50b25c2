//! Deletion that can be undone: first a tombstone; the records are removed when the person empties the trash.

use super::pack::NotPacked;
use super::tombstone::{MessageTombstone, Tombstone};
use super::{Key, KeyValue, Log, StoreError};
use sash_chat::{Id, Message};
use std::collections::BTreeMap;

/// How long the tombstone of a purged chat is kept for tabs that do not know of it, in milliseconds.
const TOMBSTONE_KEPT_MS: u64 = 24 * 60 * 60 * 1000;

/// A deleted message.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedMessage {
    /// Its chat.
    pub chat: Id,
    /// When it was deleted, in milliseconds since 1970.
    pub at: u64,
    /// The message; without text where its record is lost.
    pub message: Message,
}

impl<S: KeyValue> Log<S> {
    /// Deletes a chat by writing a tombstone; its records stay until [`Self::purge`]. A tombstone that finds
    /// no room waits in memory, because deleting is what makes room.
    ///
    /// # Errors
    /// [`StoreError::Refused`].
    pub fn delete(&mut self, chat: Id, now: u64) -> Result<(), StoreError> {
        let tombstone = Tombstone {
            at: now,
            purged: false,
        };
        self.write_tombstone(Key::Tombstone(chat), &tombstone)
    }

    fn write_tombstone<T: serde::Serialize>(
        &mut self,
        key: Key,
        value: &T,
    ) -> Result<(), StoreError> {
        match self.write(key, value) {
            Err(StoreError::Full) => Ok(()),
            done => done,
        }
    }

    /// Undoes [`Self::delete`]. Returns false for a chat that was purged.
    pub fn restore(&mut self, chat: Id) -> bool {
        let there = !self.is_purged(chat);
        if there {
            self.remove(Key::Tombstone(chat));
        }
        there
    }

    /// Removes the records of a deleted chat for good. Its tombstone is removed at a later start, so that a
    /// kill in between does not leave half a living chat, and a late record of another tab stays deleted.
    pub fn purge(&mut self, chat: Id, now: u64) {
        // Read the store: another tab may have restored the chat.
        if self.read::<Tombstone>(Key::Tombstone(chat)).is_none() {
            return;
        }
        let tombstone = Tombstone {
            at: now,
            purged: true,
        };
        // Before anything is removed: a kill in between must not leave half a chat that can be restored. Without room, it waits
        // for that of the records.
        self.write(Key::Tombstone(chat), &tombstone).ok();
        self.erase_records(chat);
        self.write_waiting();
    }

    /// Removes all records of a chat except its tombstone.
    fn erase_records(&mut self, chat: Id) {
        for kind in self.kinds.all().filter(|kind| kind.is_of_chat) {
            self.drop_record(Key::Record(kind, chat));
        }
        let Some(keys) = self.keys_of(chat) else {
            return;
        };
        // The head goes last, and of a tail its first piece.
        for key in keys.all(chat).into_iter().rev() {
            if !matches!(key, Key::Tombstone(_)) {
                self.remove(key);
            }
        }
    }

    /// Must be called once when the page starts, with the time in milliseconds since 1970. Removes what other
    /// tabs wrote into purged chats, and the tombstones that every tab knows by now.
    pub fn clean_up_purged(&mut self, now: u64) {
        let buried: Vec<Id> = self
            .chats
            .iter()
            .filter(|(_, k)| k.deleted)
            .map(|(id, _)| *id)
            .collect();
        for chat in buried {
            match self.read::<Tombstone>(Key::Tombstone(chat)) {
                Some(tombstone) if tombstone.purged => {
                    self.erase_records(chat);
                    if now.saturating_sub(tombstone.at) > TOMBSTONE_KEPT_MS {
                        self.remove(Key::Tombstone(chat));
                        self.chats.remove(&chat);
                    }
                }
                _ => {}
            }
        }
    }

    /// Deletes a message; its descendants stay. Its record is kept until [`Self::purge_messages`].
    ///
    /// # Errors
    /// [`StoreError::Refused`].
    pub fn remove_message(
        &mut self,
        chat: Id,
        message: &Message,
        now: u64,
    ) -> Result<(), StoreError> {
        self.write_tombstone(
            Key::Removed(chat, message.id),
            &MessageTombstone::of(message, now),
        )
    }

    /// Undoes [`Self::remove_message`].
    pub fn restore_message(&mut self, chat: Id, id: Id) {
        self.remove(Key::Removed(chat, id));
    }

    /// Removes deleted messages of a chat for good, packed ones too; each segment is rewritten at most once.
    ///
    /// Those that are not in the trash any more stay.
    ///
    /// # Errors
    /// [`NotPacked`]: a segment could not be rewritten. Then all of these messages stay in the trash.
    pub fn purge_messages(&mut self, chat: Id, ids: &[Id], now: u64) -> Result<(), NotPacked> {
        let mut ids = ids.to_vec();
        ids.retain(|id| self.restorable(chat, *id).is_some());
        if ids.is_empty() {
            return Ok(());
        }
        self.purge_packed(chat, &ids)?;
        for id in ids {
            self.purge_message(chat, id, now);
        }
        Ok(())
    }

    /// Removes a deleted message for good; its tombstone keeps its place in the tree.
    fn purge_message(&mut self, chat: Id, id: Id, now: u64) {
        let Some(removed) = self.read::<MessageTombstone>(Key::Removed(chat, id)) else {
            return;
        };
        self.drop_draft_of_message(chat, id, now);
        let removed = MessageTombstone {
            at: now,
            purged: true,
            ..removed
        };
        // Before the message: what a kill leaves of it must not be in the trash any more.
        self.write(Key::Removed(chat, id), &removed).ok();
        self.remove(Key::Message(chat, removed.seq, id));
        self.drop_tail(chat, id);
        self.write_waiting();
    }

    pub(super) fn is_purged(&mut self, chat: Id) -> bool {
        let tombstone = self.read::<Tombstone>(Key::Tombstone(chat));
        tombstone.is_some_and(|tombstone| tombstone.purged)
    }

    /// Whether a chat is in the trash: [`Self::restore`] would bring it back.
    pub fn can_restore(&mut self, chat: Id) -> bool {
        let keys = self.keys_of(chat);
        let is_deleted = keys.is_some_and(|keys| keys.deleted && keys.has_something());
        is_deleted && !self.is_purged(chat)
    }

    /// Whether a message is in the trash: [`Self::restore_message`] would bring it back. Those of a deleted chat come
    /// back with it.
    pub fn can_restore_message(&mut self, chat: Id, id: Id) -> bool {
        !self.is_deleted(chat) && self.restorable(chat, id).is_some()
    }

    fn restorable(&mut self, chat: Id, id: Id) -> Option<MessageTombstone> {
        let removed = self.read::<MessageTombstone>(Key::Removed(chat, id));
        removed.filter(|removed| !removed.purged)
    }

    /// The chats that have deleted messages and are not deleted themselves.
    #[must_use]
    pub fn chats_with_removed(&self) -> Vec<Id> {
        let chats = self.chats.iter();
        let having = chats.filter(|(_, keys)| !keys.deleted && !keys.removed.is_empty());
        having.map(|(chat, _)| *chat).collect()
    }

    /// The deleted messages of a chat that can be restored, and how many more are known whose records cannot be read. A
    /// segment is unpacked once for all of them.
    pub fn removed_messages(&mut self, chat: Id) -> (Vec<RemovedMessage>, usize) {
        let keys = self.keys_of(chat);
        let ids: Vec<Id> = keys
            .into_iter()
            .flat_map(|keys| keys.removed.iter().copied())
            .collect();
        let mut found = Vec::new();
        let mut unread = 0;
        let mut packed: BTreeMap<Id, usize> = BTreeMap::new();
        for id in ids {
            let Some(removed) = self.read::<MessageTombstone>(Key::Removed(chat, id)) else {
                unread += 1;
                continue;
            };
            if removed.purged {
                continue;
            }
            let kept = self.read::<Message>(Key::Message(chat, removed.seq, id));
            let kept = kept.or_else(|| self.read_tail(chat, id));
            if kept.is_none() {
                packed.insert(id, found.len());
            }
            found.push(RemovedMessage {
                chat,
                at: removed.at,
                message: kept.unwrap_or_else(|| removed.stub(id)),
            });
        }
        let mut segments = self.segments(chat);
        while !packed.is_empty()
            && let Some(n) = segments.pop()
        {
            for message in self.unpack_part(chat, n) {
                let place = packed.remove(&message.id);
                if let Some(removed) = place.and_then(|place| found.get_mut(place)) {
                    removed.message = message;
                }
            }
        }
        (found, unread)
    }

    /// Marks the deleted messages of a chat that is being read, and puts a stub in the place of purged ones.
    pub(super) fn mark_removed(&mut self, chat: &mut sash_chat::Chat) {
        let id = chat.head.id;
        let keys = self.keys_of(id);
        let removed: Vec<Id> = keys
            .into_iter()
            .flat_map(|k| k.removed.iter())
            .copied()
            .collect();
        for message in removed {
            let Some(removed) = self.read::<MessageTombstone>(Key::Removed(id, message)) else {
                continue;
            };
            let there = chat.get(message).is_some();
            if removed.purged && there {
                // Another tab wrote it late, or a crash brought back an older state.
                self.remove(Key::Message(id, removed.seq, message));
                self.drop_tail(id, message);
            }
            if removed.purged || !there {
                chat.insert(removed.stub(message));
            }
            chat.remove(message, true);
        }
    }
}
