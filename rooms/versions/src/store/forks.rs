//! Forking a chat: a branch goes on in a chat of its own.

use super::Versions;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_stores::hooks::UndoEntry;
use sash_words::t;
use std::rc::Rc;

impl Versions {
    /// Copies the open chat up to a message of its branch into a new chat, and opens that: a temporary one if the open
    /// chat is one. The images are shared. Returns the new chat; `None` if there is no such message, or no room for all of it.
    pub fn fork_chat(self, through: Id) -> Option<Id> {
        let edges = self.kernel.edges();
        let now = edges.now();
        let fork = self
            .chats()
            .open
            .with_untracked(|chat| (self.fork)(chat, through, now, &mut || edges.new_id()))?;
        let (chat, messages) = (fork.head.id, fork.len());
        if self
            .chats()
            .is_temporary_untracked(self.chats().open_id_untracked())
        {
            self.chats().make_temporary(chat);
        }
        let kept = self.storage().with_log(|log| log.add_chat(&fork));
        if kept != Some(Ok(())) {
            self.notices().show(t!(versions.no_room_for_the_fork));
            return None;
        }
        self.chats().refresh_chat(chat);
        self.chats().open_chat(chat);
        let undo = self.kernel.history().push(UndoEntry {
            chat: None,
            holds: Rc::new(move || {
                self.chats().list.track();
                !self.chats().is_gone(chat)
            }),
            undo: Box::new(move |_| self.undo_fork(chat)),
        });
        let copied = sash_words::count::messages(messages);
        self.notices()
            .show_undo(t!(versions.forked, copied = &copied), undo);
        Some(chat)
    }

    /// Deletes a chat that was forked, and opens the one that it was forked from if it is still there. A temporary one is
    /// left instead: there is no trash for it. Returns whether it was there.
    fn undo_fork(self, chat: Id) -> bool {
        if self.chats().is_gone(chat) {
            return false;
        }
        let head = self.storage().with_log(|log| log.head(chat)).flatten();
        let origin = head.and_then(|head| head.forked_from);
        let was_open = self.chats().open_id_untracked() == chat;
        if self.chats().is_temporary_untracked(chat) {
            self.notices().toast.set(None);
            if was_open {
                self.open_or_begin(
                    origin.filter(|origin| self.chats().is_temporary_untracked(*origin)),
                );
            }
            return true;
        }
        if !self
            .storage()
            .write(|log| log.delete(chat, self.kernel.edges().now()))
        {
            return true;
        }
        self.notices().toast.set(None);
        self.chats().refresh_list();
        if was_open {
            let list = self.chats().list;
            let is_listed = |origin: &Id| {
                list.with_untracked(|chats| chats.iter().any(|known| known.id == *origin))
            };
            self.open_or_begin(origin.filter(is_listed));
        }
        true
    }

    fn open_or_begin(self, chat: Option<Id>) {
        match chat {
            Some(chat) => self.chats().open_chat(chat),
            None => self.chats().begin_chat(),
        }
    }
}
