//! Deleting that can be undone: a tombstone first, the records when the person empties the trash.

use super::tombstone::{Removed, Tombstone};
use super::{Key, Log, Store, StoreError};
use sash_chat::{Id, Message};

/// How long the tombstone of an emptied chat stays for tabs that have not heard of it, in milliseconds.
const TOMBSTONE_KEPT_MS: u64 = 24 * 60 * 60 * 1000;

/// A deleted message.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedMessage {
    /// Its chat.
    pub chat: Id,
    /// When it was deleted, in milliseconds since 1970.
    pub at: u64,
    /// The message; without words where its record is packed or lost.
    pub message: Message,
}

impl<S: Store> Log<S> {
    /// Deletes a chat by a tombstone; its records stay until [`Self::purge`]. A tombstone without room
    /// waits: deleting is what makes room.
    ///
    /// # Errors
    /// [`StoreError::Refused`].
    pub fn delete(&mut self, chat: Id, now: u64) -> Result<(), StoreError> {
        let tombstone = Tombstone {
            at: now,
            purged: false,
        };
        self.bury(Key::Tombstone(chat), &tombstone)
    }

    fn bury<T: serde::Serialize>(&mut self, key: Key, value: &T) -> Result<(), StoreError> {
        match self.write(key, value) {
            Err(StoreError::Full) => Ok(()),
            done => done,
        }
    }

    /// Undoes [`Self::delete`]. Whether that could be: a chat that was emptied from the trash is gone.
    pub fn restore(&mut self, chat: Id) -> bool {
        let tombstone = self.read::<Tombstone>(Key::Tombstone(chat));
        let there = tombstone.is_none_or(|tombstone| !tombstone.purged);
        if there {
            self.remove(Key::Tombstone(chat));
        }
        there
    }

    /// Removes the records of a deleted chat for good. Its tombstone goes at a later start, so that a kill in
    /// between leaves a deleted chat and not half a living one, and another tab's late record stays buried.
    pub fn purge(&mut self, chat: Id, now: u64) {
        // As the store has it: another tab may have brought the chat back.
        if self.read::<Tombstone>(Key::Tombstone(chat)).is_none() {
            return;
        }
        self.erase_records(chat);
        let tombstone = Tombstone {
            at: now,
            purged: true,
        };
        // Without room for it the one that stands there says enough.
        let _ = self.write(Key::Tombstone(chat), &tombstone);
        self.write_waiting();
    }

    /// Takes away everything of a chat but its tombstone.
    fn erase_records(&mut self, chat: Id) {
        self.drop_draft(chat);
        let Some(keys) = self.chats.get(&chat) else {
            return;
        };
        let mut gone: Vec<Key> = Vec::new();
        gone.extend(
            keys.messages
                .iter()
                .map(|(seq, id)| Key::Message(chat, *seq, *id)),
        );
        gone.extend(
            keys.tails
                .iter()
                .rev()
                .map(|(id, n)| Key::Tail(chat, *id, *n)),
        );
        gone.extend(keys.segments.iter().map(|n| Key::Segment(chat, *n)));
        gone.extend(keys.removed.iter().map(|id| Key::Removed(chat, *id)));
        gone.push(Key::Head(chat));
        for key in gone {
            self.remove(key);
        }
        self.unpacked.remove(&chat);
    }

    /// To be called once when the page starts, with the time in milliseconds since 1970: buries what other tabs
    /// wrote under emptied chats, and forgets those that every tab has heard of.
    pub fn start(&mut self, now: u64) {
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

    /// Deletes a message: what followed it stays. Its record is there until [`Self::purge_message`].
    ///
    /// # Errors
    /// [`StoreError::Refused`].
    pub fn remove_message(
        &mut self,
        chat: Id,
        message: &Message,
        now: u64,
    ) -> Result<(), StoreError> {
        self.bury(Key::Removed(chat, message.id), &Removed::of(message, now))
    }

    /// Undoes [`Self::remove_message`].
    pub fn restore_message(&mut self, chat: Id, id: Id) {
        self.remove(Key::Removed(chat, id));
    }

    /// Removes a deleted message for good; its tombstone keeps its place. A packed one must be unpacked before.
    pub fn purge_message(&mut self, chat: Id, id: Id, now: u64) {
        let Some(removed) = self.read::<Removed>(Key::Removed(chat, id)) else {
            return;
        };
        self.remove(Key::Message(chat, removed.seq, id));
        self.drop_tail(chat, id);
        let removed = Removed {
            at: now,
            purged: true,
            ..removed
        };
        // Without room for it the one that stands there says enough.
        let _ = self.write(Key::Removed(chat, id), &removed);
        self.write_waiting();
    }

    /// The deleted messages that can still be brought back, of all chats that are not deleted themselves.
    pub fn removed_messages(&mut self) -> Vec<RemovedMessage> {
        let living = self.chats.iter().filter(|(_, keys)| !keys.deleted);
        let ids: Vec<(Id, Id)> = living
            .flat_map(|(chat, keys)| keys.removed.iter().map(|id| (*chat, *id)))
            .collect();
        let mut found = Vec::new();
        for (chat, id) in ids {
            let removed = self.read::<Removed>(Key::Removed(chat, id));
            let Some(removed) = removed.filter(|removed| !removed.purged) else {
                continue;
            };
            let kept = self.read::<Message>(Key::Message(chat, removed.seq, id));
            let kept = kept.or_else(|| self.unpacked_message(chat, id));
            let kept = kept.or_else(|| self.read_tail(chat, id));
            found.push(RemovedMessage {
                chat,
                at: removed.at,
                message: kept.unwrap_or_else(|| removed.stub(id)),
            });
        }
        found
    }

    /// Marks what was deleted in a chat that is being read, with a stub in the place of what is gone.
    pub(super) fn mark_removed(&mut self, chat: &mut sash_chat::Chat) {
        let id = chat.head.id;
        let keys = self.chats.get(&id);
        let removed: Vec<Id> = keys
            .into_iter()
            .flat_map(|k| k.removed.iter())
            .copied()
            .collect();
        for message in removed {
            let Some(removed) = self.read::<Removed>(Key::Removed(id, message)) else {
                continue;
            };
            let there = chat.get(message).is_some();
            if removed.purged && there {
                // Written late by another tab, or back from before a crash.
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
