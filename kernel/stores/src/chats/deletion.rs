//! Deleting and restoring chats and messages.

use super::{ChatEvent, Chats, PageLog};
use crate::hooks::UndoEntry;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_words::t;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Chats {
    /// Deletes a chat: leaves a tombstone and offers undo.
    /// [`Answers::delete_chat`](crate::Answers::delete_chat) also stops the chat's running answer.
    pub fn delete_chat(self, id: Id) {
        let Some(summary) = self
            .list
            .with_untracked(|c| c.iter().find(|s| s.id == id).cloned())
        else {
            return;
        };
        if !self.storage().write(|log| log.delete(id, self.edges.now())) {
            return;
        }
        let next = self.next_after(&BTreeSet::from([id]));
        self.list.update(|list| list.retain(|entry| entry.id != id));
        self.forget_former_deletion(&[id]);
        let undo = self.history().push(UndoEntry {
            chat: None,
            holds: Rc::new(move || {
                self.list.track();
                self.storage().with_log(|log| log.can_restore(id)) == Some(true)
            }),
            undo: Box::new(move |_| self.restore_chat(id)),
        });
        self.notices()
            .show_undo(t!(state.deleted, title = summary.title), undo);
        if self.open_id_untracked() == id {
            self.open_instead(id, next);
        }
    }

    /// Forgets which chats were opened in place of those when they were deleted before: they are deleted once more.
    pub(super) fn forget_former_deletion(self, deleted: &[Id]) {
        self.left_by_deletion
            .update_value(|all| all.retain(|chat, _| !deleted.contains(chat)));
    }

    /// Opens `next`, or else a new chat, in place of the open chat, which was deleted.
    pub(super) fn open_instead(self, deleted: Id, next: Option<Id>) {
        match next {
            Some(next) => self.open_chat(next),
            None => self.begin_chat(),
        }
        let instead = self.open_id_untracked();
        self.left_by_deletion
            .update_value(|all| _ = all.insert(deleted, instead));
    }

    /// Opens that of the restored chats which was open when it was deleted. Whoever has opened another chat since stays
    /// there, and so does whoever deleted chats that were not open.
    pub(super) fn reopen(self, restored: &[Id]) {
        let mut left = restored.iter().filter_map(|chat| {
            let instead = self
                .left_by_deletion
                .try_update_value(|all| all.remove(chat));
            Some((*chat, instead.flatten()?))
        });
        let open = self.open_id_untracked();
        if let Some((chat, _)) = left.find(|(_, instead)| *instead == open) {
            self.open_chat(chat);
        }
    }

    /// Restores a deleted chat, and opens it if it was open when it was deleted. Returns whether it was there.
    pub fn restore_chat(self, id: Id) -> bool {
        let there = self
            .storage()
            .with_log(|log| log.restore(id))
            .unwrap_or_default();
        match there {
            true => self.notices().toast.set(None),
            false => self.notices().show(t!(state.chat_deleted_for_good)),
        }
        self.refresh_list();
        if there {
            self.reopen(&[id]);
        }
        there
    }

    /// Deletes a message of the open chat and offers undo; the messages that follow it stay.
    pub fn delete_message(self, id: Id) {
        let chat = self.open_id_untracked();
        let Some(message) = self.message(id) else {
            return;
        };
        if !self
            .storage()
            .write(|log| log.remove_message(chat, &message, self.edges.now()))
        {
            return;
        }
        self.open_tree().update(|tree| tree.remove(id, true));
        self.refresh_chat(chat);
        self.notify(ChatEvent::Changed);
        let undo = self.history().push(UndoEntry {
            chat: Some(chat),
            holds: Rc::new(move || {
                self.open_tree().track();
                let can_restore = |log: &mut PageLog| log.can_restore_message(chat, id);
                self.storage().with_log(can_restore) == Some(true)
            }),
            undo: Box::new(move |takes_focus| {
                self.restore_message(chat, id);
                if takes_focus {
                    // The deletion removed the row that had it.
                    self.view().reveal(id);
                }
                true
            }),
        });
        self.notices().show_undo(t!(state.deleted_a_message), undo);
    }

    /// Restores a deleted message.
    pub fn restore_message(self, chat: Id, id: Id) {
        self.storage().with_log(|log| log.restore_message(chat, id));
        self.notices().toast.set(None);
        if self.open_id_untracked() == chat {
            self.open_tree().update(|tree| tree.remove(id, false));
        }
        self.refresh_chat(chat);
    }
}
