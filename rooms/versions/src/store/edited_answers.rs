//! Answers that the person changed: versions of their own beside the model's.

use super::Versions;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Message, Receipt, Role, misfits};
use sash_stores::ChatEvent;
use sash_stores::hooks::UndoEntry;
use sash_words::t;
use std::rc::Rc;

impl Versions {
    /// Keeps what the person made of an answer of the open chat, as a version beside it, and shows that. What the model
    /// thought and called stays with its own answer. Nothing is sent. Returns the new version; `None` if the answer is
    /// gone, or the text blank or the same.
    pub fn edit_answer(self, answer: Id, text: String) -> Option<Id> {
        let former = self.chats().message(answer)?;
        let is_new = !text.trim().is_empty() && text != former.content;
        if former.role != Role::Assistant || !is_new {
            return None;
        }
        let chat = self.chats().open_id_untracked();
        let seq = self.chats().open.with_untracked(Chat::next_seq);
        let mut receipt = former.receipt.as_ref().map(Receipt::of_edited);
        if let Some(receipt) = &mut receipt {
            receipt.misfits = misfits(receipt.format.as_ref(), &text);
        }
        let edited = Message {
            content: text,
            model: former.model,
            edited: Some(answer),
            receipt,
            ..Message::new(
                self.kernel.edges().new_id(),
                former.parent,
                seq,
                Role::Assistant,
                self.kernel.edges().now(),
            )
        };
        let id = edited.id;
        self.storage().write(|log| log.save_message(chat, &edited));
        self.chats().show(chat, [edited]);
        self.chats().walk_to(id);
        self.chats().refresh_chat(chat);
        let undo = self.kernel.history().push(UndoEntry {
            chat: Some(chat),
            holds: Rc::new(move || {
                self.chats().open_tree().track();
                self.is_last_edited(chat, id)
            }),
            undo: Box::new(move |_| self.undo_edit(chat, id)),
        });
        self.notices()
            .show_undo(t!(versions.kept_your_version), undo);
        Some(id)
    }

    /// Whether a message of the open chat is a version of the person's own that nothing follows: taking it back loses
    /// nothing else.
    fn is_last_edited(self, chat: Id, id: Id) -> bool {
        let is_edited = self
            .chats()
            .with_message(id, |message| message.edited.is_some());
        self.chats().open_id_untracked() == chat
            && is_edited == Some(true)
            && self.chats().open_tree().with_untracked(|tree| {
                let mut others = tree.messages();
                others.all(|message| message.parent != Some(id))
            })
    }

    /// Takes a version of the person's own back into the trash, and shows the answer that it was made of. Returns whether
    /// it could be taken back.
    fn undo_edit(self, chat: Id, id: Id) -> bool {
        let edited = self
            .chats()
            .message(id)
            .filter(|_| self.is_last_edited(chat, id));
        let Some(edited) = edited else {
            return false;
        };
        let now = self.kernel.edges().now();
        if !self
            .storage()
            .write(|log| log.remove_message(chat, &edited, now))
        {
            return true;
        }
        self.chats()
            .open_tree()
            .update(|tree| tree.remove(id, true));
        self.notices().toast.set(None);
        match edited
            .edited
            .filter(|former| self.chats().message(*former).is_some())
        {
            Some(former) => self.chats().walk_to(former),
            None => self.chats().events().emit(&ChatEvent::Changed),
        }
        self.chats().refresh_chat(chat);
        true
    }
}
