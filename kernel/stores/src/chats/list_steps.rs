//! Steps of the list of chats that can be undone.

use super::Chats;
use crate::hooks::{UndoEntry, UndoId};
use sash_chat::Id;
use sash_words::{count, t};
use std::rc::Rc;

impl Chats {
    /// Adds a step to those that Ctrl+Z undoes. `undo` says whether there was something to undo.
    pub fn push_list_step(self, undo: impl FnOnce() -> bool + 'static) -> UndoId {
        let entry = UndoEntry {
            chat: None,
            holds: Rc::new(|| true),
            undo: Box::new(move |_| undo()),
        };
        self.history().push_step(self.last_list_step, entry)
    }

    /// The same, and says what was done.
    pub fn offer_list_step(self, words: String, undo: impl FnOnce() -> bool + 'static) {
        let id = self.push_list_step(undo);
        self.notices().show_undo(words, id);
    }

    /// The title of a chat, or how many they are.
    pub fn words_of(self, chats: &[Id]) -> String {
        match chats {
            [chat] => t!(state.quoted, title = self.title_now(*chat)),
            chats => count::chats(chats.len()),
        }
    }
}
