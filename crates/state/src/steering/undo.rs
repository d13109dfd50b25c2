//! Undo of steering steps and deletions.

use super::Steering;
use crate::history::{Done, Undo};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_words::t;

impl Steering {
    /// Undoes the last steering step of the open chat. Returns whether there was one.
    pub fn undo_step(self) -> bool {
        let chat = self.chats.open_id_untracked();
        let steered = |done: &Done| matches!(done, Done::Steered(step) if step.chat == chat);
        let last = self.history.take_last(steered);
        last.is_some_and(|done| self.undo_action(done))
    }

    /// The newest action that can be undone, of whatever chat.
    #[must_use]
    pub fn last_done(self) -> Option<Done> {
        self.history.last()
    }

    /// Undoes an action. Returns whether there was still something to undo: another tab may have
    /// restored the chat or purged it.
    fn undo_action(self, done: Done) -> bool {
        match done {
            Done::Steered(step) => {
                let chat = step.chat;
                self.chats.change_head(chat, |head| step.restore(head));
                self.chats.refresh_chat(chat);
                self.overflow.set(None);
                self.notices.drop_step();
            }
            Done::Deleted(chat) if self.is_in_trash(chat) => self.chats.restore_chat(chat),
            Done::Removed(chat, id) if self.is_removed(chat, id) => {
                self.chats.restore_message(chat, id)
            }
            Done::Listed(step) => {
                self.notices.drop_list_step();
                if !self.chats.undo_list_step(*step) {
                    return false;
                }
            }
            Done::Prompt(before) => {
                if !self.prompts.undo(*before) {
                    return false;
                }
            }
            Done::Unqueued(unqueued) => {
                if !self.chats.put_back(*unqueued) {
                    return false;
                }
                self.notices.toast.set(None);
            }
            Done::Discarded(discarded) => {
                if !self.drafts.restore_field(*discarded) {
                    return false;
                }
                self.notices.toast.set(None);
            }
            Done::Forked(chat) if !self.chats.is_gone(chat) => self.chats.undo_fork(chat),
            Done::Edited(chat, id) if self.chats.is_last_edited(chat, id) => {
                self.chats.undo_edit(id);
            }
            Done::Deleted(_) | Done::Removed(..) | Done::Forked(_) | Done::Edited(..) => {
                return false;
            }
        }
        self.notices.announce(t!(state.undone));
        true
    }

    /// Whether a chat is in the trash.
    fn is_in_trash(self, chat: Id) -> bool {
        let can_restore = self.storage.with_log(|log| log.can_restore(chat));
        can_restore.unwrap_or(false)
    }

    /// Whether a message is in the trash.
    fn is_removed(self, chat: Id, id: Id) -> bool {
        let can_restore = self
            .storage
            .with_log(|log| log.can_restore_message(chat, id));
        can_restore.unwrap_or(false)
    }

    /// Whether what the toast offers to undo is still in effect.
    pub fn is_done(self, undo: Undo) -> bool {
        match undo {
            Undo::Deleted(chat) => {
                self.chats.list.track();
                self.is_in_trash(chat)
            }
            Undo::Removed(chat, id) => {
                self.chats.open_tree().track();
                self.is_removed(chat, id)
            }
            Undo::Forked(chat) => {
                self.chats.list.track();
                !self.chats.is_gone(chat)
            }
            Undo::Edited(chat, id) => {
                self.chats.open_tree().track();
                self.chats.is_last_edited(chat, id)
            }
            Undo::Unqueued(chat, prompt) => {
                let known = self.history.last_unqueued(chat, prompt);
                known.is_some() && self.chats.open_id() == chat
            }
            Undo::Discarded(chat, field) => {
                let known = self.history.last_discarded(chat, field);
                known.is_some() && self.chats.open_id() == chat && !self.drafts.has_field(field)
            }
            Undo::Left(chat) => self.chats.is_temporary(chat),
            // Any further step replaces the toast by itself.
            Undo::Step | Undo::Listed | Undo::Prompt => true,
        }
    }

    /// Ctrl+Z: undoes the last action, whether or not a toast still offers it. Returns whether
    /// there was something to undo. Do not call it while the what-if dialog is open: undo would
    /// change what the dialog shows.
    pub fn undo(self) -> bool {
        loop {
            let open = self.chats.open_id_untracked();
            match self.history.take_last(|done| done.applies_to(open)) {
                Some(done) if self.undo_action(done.clone()) => {
                    if let Done::Removed(_, id) = done {
                        // The deletion removed the row that had focus.
                        self.chats.view.reveal(id);
                    }
                    return true;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Undoes what the toast offers.
    pub fn undo_offer(self, undo: Undo) {
        let done = match undo {
            Undo::Deleted(chat) => Done::Deleted(chat),
            Undo::Removed(chat, id) => Done::Removed(chat, id),
            Undo::Forked(chat) => Done::Forked(chat),
            Undo::Edited(chat, id) => Done::Edited(chat, id),
            Undo::Unqueued(chat, prompt) => match self.history.last_unqueued(chat, prompt) {
                Some(done) => done,
                None => return,
            },
            Undo::Discarded(chat, field) => match self.history.last_discarded(chat, field) {
                Some(done) => done,
                None => return,
            },
            Undo::Step => {
                self.undo_step();
                return;
            }
            Undo::Left(chat) => return self.chats.keep_temporary(chat),
            Undo::Listed | Undo::Prompt => {
                let last = self.history.take_last(|done| match undo {
                    Undo::Prompt => matches!(done, Done::Prompt(_)),
                    _ => matches!(done, Done::Listed(_)),
                });
                if let Some(done) = last {
                    self.undo_action(done);
                }
                return;
            }
        };
        self.history.take_last(|known| *known == done);
        match undo {
            Undo::Removed(chat, id) => self.chats.restore_message(chat, id),
            Undo::Deleted(chat) => self.chats.restore_chat(chat),
            Undo::Forked(_) | Undo::Edited(..) | Undo::Unqueued(..) | Undo::Discarded(..) => {
                _ = self.undo_action(done)
            }
            Undo::Step | Undo::Listed | Undo::Prompt | Undo::Left(_) => {}
        }
    }
}
