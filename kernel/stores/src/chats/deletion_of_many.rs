//! Deleting several chats as one step, and restoring them.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_words::t;
use std::collections::BTreeSet;

impl Chats {
    /// Deletes several chats as one step, thousands of them in slices.
    /// [`Answers::delete_chats`](crate::Answers::delete_chats) also stops what runs in them.
    pub fn delete_chats(self, chats: &[Id]) {
        let words = t!(state.deleted_several, what = self.words_of(chats));
        let next = self.next_after(&chats.iter().copied().collect());
        self.change_in_slices(
            chats.to_vec(),
            move |slice| self.delete_slice(slice),
            move |deleted| self.end_deletion(deleted, next, words),
        );
    }

    /// Writes the tombstones of chats that are listed, and takes them off the list. Returns which they were.
    fn delete_slice(self, chats: &[Id]) -> Vec<Id> {
        let now = self.edges.now();
        let chats: BTreeSet<Id> = chats.iter().copied().collect();
        let mut deleted = self.list.with_untracked(|list| {
            let ids = list.iter().map(|entry| entry.id);
            ids.filter(|id| chats.contains(id)).collect::<Vec<_>>()
        });
        deleted.retain(|chat| self.storage().write(|log| log.delete(*chat, now)));
        let gone: BTreeSet<Id> = deleted.iter().copied().collect();
        self.list
            .update(|list| list.retain(|entry| !gone.contains(&entry.id)));
        deleted
    }

    /// Offers to bring deleted chats back. If the open one is among them, the `next` one is opened.
    fn end_deletion(self, deleted: Vec<Id>, next: Option<Id>, words: String) {
        let open = self.open_id_untracked();
        let is_open_gone = deleted.contains(&open);
        self.forget_former_deletion(&deleted);
        if !deleted.is_empty() {
            self.offer_list_step(words, move || self.undo_deletion(deleted));
        }
        if is_open_gone {
            self.open_instead(open, next.filter(|next| !self.is_gone(*next)));
        }
    }

    /// The chat to open once the open one is gone with others: the one below it that stays, or else the one above.
    pub(super) fn next_after(self, gone: &BTreeSet<Id>) -> Option<Id> {
        let open = self.open_id_untracked();
        self.list.with_untracked(|list| {
            let at = list.iter().position(|entry| entry.id == open)?;
            let (above, below) = list.split_at(at);
            let stays =
                |entry: &&sash_log::ChatListEntry| !gone.contains(&entry.id) && !entry.archived;
            let next = below.iter().find(stays);
            let next = next.or_else(|| above.iter().rev().find(stays));
            next.map(|entry| entry.id)
        })
    }

    /// Restores deleted chats, thousands of them in slices. Returns whether any was there.
    fn undo_deletion(self, deleted: Vec<Id>) -> bool {
        self.change_in_slices(
            deleted,
            move |slice| self.restore_slice(slice),
            move |restored| self.reopen(&restored),
        )
    }

    /// Restores deleted chats that are still in the trash. Returns which they were.
    fn restore_slice(self, deleted: &[Id]) -> Vec<Id> {
        let is_restored = |chat: &&Id| {
            let is_there = self.storage().with_log(|log| log.can_restore(**chat));
            is_there == Some(true) && self.storage().with_log(|log| log.restore(**chat)).is_some()
        };
        let restored: Vec<Id> = deleted.iter().filter(is_restored).copied().collect();
        self.refresh_chats(&restored);
        restored
    }
}
