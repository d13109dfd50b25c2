//! Bringing the reader to a message, wherever in the chat it stands.

use super::Session;
use leptos::prelude::*;
use sash_chat::{Id, Role};

/// A message that is to be on the page, and whether the reader is brought to it.
pub type Goal = (Id, bool);

impl Session {
    /// Brings the reader to a message of the branch that is being read, and focus to it.
    pub fn reveal(self, id: Id) {
        self.goal.set(Some((id, true)));
    }

    /// Opens the last question of the branch for an edit. Whether there is one.
    pub fn edit_last(self) -> bool {
        let asks = |id: &Id| self.message(*id).is_some_and(|m| m.role == Role::User);
        let last = self
            .path
            .with_untracked(|path| path.iter().copied().rev().find(asks));
        if let Some(last) = last {
            self.edit_asked.set(Some(last));
            // Its row may not be on the page.
            self.reveal(last);
        }
        last.is_some()
    }

    /// Keeps the reader where they are while they walk to another version of a message.
    pub(super) fn stay_at(self, id: Id) {
        self.goal.set(Some((id, false)));
    }

    /// Shows a chat, and a message of it, on whichever branch it is; nothing where it is gone.
    pub fn show_message(self, chat: Id, message: Option<Id>) {
        if self.open.with_untracked(|open| open.head.id) != chat {
            self.open_chat(chat);
        }
        let Some(id) = message else {
            return;
        };
        let here = |open: &sash_chat::Chat| open.head.id == chat && open.get(id).is_some();
        if !self.open.with_untracked(here) {
            return;
        }
        if !self.path.with_untracked(|path| path.contains(&id)) {
            self.walk_to(id);
        }
        // On a narrow page the list lies over it.
        self.chats_shown.set(false);
        self.reveal(id);
    }
}
