//! Opening, beginning, renaming, deleting and bringing back chats; walking their branches.

use super::steer::Done;
use super::storage::PageLog;
use super::{Session, Toast, Undo, new_chat};
use crate::browser::{clock, page};
use leptos::prelude::*;
use sash_chat::{Head, Id, Policy};

impl Session {
    /// Opens a chat. A running answer in the former one goes on.
    pub fn open_chat(self, id: Id) {
        self.overtake();
        let read = |log: &mut PageLog| {
            log.seal_tails(id, clock::now());
            log.load_unpacked(id)
        };
        if let Some(chat) = self.with_log(read).flatten() {
            self.leave();
            self.open.set(chat);
            self.chats_shown.set(false);
            page::focus_soon("chat-title".to_owned());
        }
    }

    /// Before another chat is opened.
    fn leave(self) {
        self.read_by.set(None);
        self.what_if.set(super::WhatIf::Closed);
        self.recalled.set(Vec::new());
        self.overflow.set(None);
        self.forget_step();
        if self.open.with_untracked(sash_chat::Chat::is_empty) {
            self.fresh.set_value(Some(self.open.get_untracked()));
        }
    }

    /// Opens an empty chat: the one that was begun before, if it is still empty.
    pub fn begin_chat(self) {
        self.overtake();
        self.leave();
        let fresh = self.fresh.try_update_value(Option::take).flatten();
        let mut chat = self.settings.with_untracked(new_chat);
        // One that was begun before keeps what was set for it by hand, and only that.
        if let Some(fresh) = fresh {
            let id = fresh.head.id;
            match self.is_steered(id) {
                true => chat = fresh,
                false => chat.head.id = id,
            }
        }
        self.open.set(chat);
        self.chats_shown.set(false);
        page::focus_soon("prompt".to_owned());
        self.find_begun(0);
    }

    /// Sets the rule for the open chat, which is empty, and for new ones. Not a step of steering: a chat that
    /// was begun before follows the rule for new chats.
    pub fn begin_with(self, policy: Policy) {
        self.change_settings(|settings| settings.policy = policy);
        let chat = self.open.with_untracked(|chat| chat.head.id);
        self.change_head(chat, |head| head.policy = policy);
    }

    /// Gives a chat a name; an empty one gives it back its first question.
    pub fn rename(self, id: Id, title: &str) {
        let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        self.change_head(id, |head| head.title = title);
        self.refresh_chat(id);
    }

    /// Chooses the model of the open chat, and of new ones.
    pub fn choose_model(self, model: &str) {
        let chosen = Some(model.to_owned());
        self.change_settings(|settings| settings.model.clone_from(&chosen));
        self.change_head(self.open.with_untracked(|chat| chat.head.id), |head| {
            head.model = chosen
        });
        // What was offered was for the other model.
        self.overflow.set(None);
    }

    /// Walks to the branch through a message of the open chat.
    pub fn walk_to(self, message: Id) {
        let (chat, at) = self
            .open
            .with_untracked(|c| (c.head.id, c.position_through(message)));
        self.stay_at(message);
        self.change_head(chat, |head| head.at = at);
        self.overflow.set(None);
    }

    /// Deletes a chat: stops its answer, leaves a tombstone, offers undo.
    pub fn delete_chat(self, id: Id) {
        self.stop(id);
        let Some(summary) = self
            .chats
            .with_untracked(|c| c.iter().find(|s| s.id == id).cloned())
        else {
            return;
        };
        if !self.write(|log| log.delete(id, clock::now())) {
            return;
        }
        let next = self.chats.with_untracked(|chats| {
            let at = chats.iter().position(|s| s.id == id)?;
            chats
                .get(at + 1)
                .or_else(|| at.checked_sub(1).and_then(|b| chats.get(b)))
                .map(|s| s.id)
        });
        self.refresh_lists();
        self.remember(Done::Deleted(id));
        self.toast.set(Some(Toast {
            text: format!("Deleted “{}”", summary.title),
            undo: Some(Undo::Deleted(id)),
        }));
        if self.open.with_untracked(|chat| chat.head.id == id) {
            match next {
                Some(next) => self.open_chat(next),
                None => self.begin_chat(),
            }
        }
    }

    /// Brings a deleted chat back and opens it.
    pub fn restore_chat(self, id: Id) {
        let there = self.with_log(|log| log.restore(id)).unwrap_or_default();
        self.toast.set((!there).then(|| Toast {
            text: "That chat has been removed for good".to_owned(),
            undo: None,
        }));
        self.refresh_lists();
        if there {
            self.open_chat(id);
        }
    }

    /// Deletes a message of the open chat; what follows it stays. Offers undo.
    pub fn delete_message(self, id: Id) {
        let chat = self.open.with_untracked(|open| open.head.id);
        let Some(message) = self.message(id) else {
            return;
        };
        if !self.write(|log| log.remove_message(chat, &message, clock::now())) {
            return;
        }
        self.open.update(|open| open.remove(id, true));
        self.refresh_chat(chat);
        self.overflow.set(None);
        self.remember(Done::Removed(chat, id));
        self.toast.set(Some(Toast {
            text: "Deleted a message".to_owned(),
            undo: Some(Undo::Removed(chat, id)),
        }));
    }

    /// Brings a deleted message back.
    pub(super) fn restore_message(self, chat: Id, id: Id) {
        self.with_log(|log| log.restore_message(chat, id));
        self.toast.set(None);
        self.open.update(|open| {
            if open.head.id == chat {
                open.remove(id, false);
            }
        });
        self.refresh_chat(chat);
    }

    /// Changes a chat's head, in the log only when the chat is there already.
    pub(super) fn change_head(self, id: Id, change: impl FnOnce(&mut Head)) {
        let is_open = self.open.with_untracked(|chat| chat.head.id == id);
        // The log first: another tab may have changed it since.
        let kept = self.with_log(|log| log.head(id)).flatten();
        let head =
            kept.or_else(|| is_open.then(|| self.open.with_untracked(|chat| chat.head.clone())));
        let Some(mut head) = head else {
            return;
        };
        change(&mut head);
        head.rev = head.rev.wrapping_add(1);
        if self
            .chats
            .with_untracked(|chats| chats.iter().any(|s| s.id == id))
        {
            self.write(|log| log.save_head(&head));
        }
        if is_open {
            self.open.update(|chat| chat.head = head);
        }
    }
}
