//! Opening and beginning chats, and walking their branches.

use super::{ChatEvent, Chats, load};
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Role};

impl Chats {
    /// Shows a chat, and of it a message, on whichever branch it is; nothing where it is gone.
    pub fn show_message(self, chat: Id, message: Option<Id>) {
        if self.open_id_untracked() != chat {
            self.open_chat(chat);
        }
        let Some(id) = message else {
            return;
        };
        let here = |open: &Chat| open.head.id == chat && open.get(id).is_some();
        if !self.open.with_untracked(here) {
            return;
        }
        if !self.path.with_untracked(|path| path.contains(&id)) {
            self.walk_to(id);
        }
        // On a narrow page the list lies over it.
        self.view.chats_shown.set(false);
        self.view.reveal(id);
    }

    /// Asks for the last question of the branch to be opened for an edit. Whether there is one.
    pub fn edit_last(self) -> bool {
        let asks = |id: &Id| self.message(*id).is_some_and(|m| m.role == Role::User);
        let last = self
            .path
            .with_untracked(|path| path.iter().copied().rev().find(asks));
        if let Some(last) = last {
            self.view.edit_asked.set(Some(last));
            // Its row may not be on the page.
            self.view.reveal(last);
        }
        last.is_some()
    }

    /// Opens a chat. A running answer in the former one goes on.
    pub fn open_chat(self, id: Id) {
        self.note_opening();
        if let Some(chat) = load(self.edges, self.storage, id) {
            self.leave();
            self.open.set(chat);
            self.view.chats_shown.set(false);
            self.edges.with_page(|page| page.focus_soon("chat-title"));
        }
    }

    /// Before another chat is opened.
    fn leave(self) {
        self.view.read_by.set(None);
        self.notices.drop_step();
        self.tell(ChatEvent::Left);
        if self.open.with_untracked(Chat::is_empty) {
            self.fresh.set_value(Some(self.open.get_untracked()));
        }
    }

    /// Opens an empty chat: the one that was begun before, if it is still empty.
    pub fn begin_chat(self) {
        self.note_opening();
        self.leave();
        let fresh = self.fresh.try_update_value(Option::take).flatten();
        let mut chat = self.new_chat();
        // One that was begun before keeps what was set for it by hand, and only that.
        if let Some(fresh) = fresh {
            let id = fresh.head.id;
            match self.history.is_steered(id) {
                true => chat = fresh,
                false => chat.head.id = id,
            }
        }
        self.open.set(chat);
        self.view.chats_shown.set(false);
        self.edges.with_page(|page| page.focus_soon("prompt"));
        self.tell(ChatEvent::Begun);
    }

    /// Walks to the branch through a message of the open chat.
    pub fn walk_to(self, message: Id) {
        let (chat, at) = self
            .open
            .with_untracked(|c| (c.head.id, c.position_through(message)));
        self.view.stay_at(message);
        self.change_head(chat, |head| head.at = at);
        self.tell(ChatEvent::Changed);
    }
}
