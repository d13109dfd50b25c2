//! The texts of fields beside the composer: the edit of a message or of a summary, the system prompt. What is typed
//! there is a draft of its chat until it is saved, sent or thrown away.

use super::Drafts;
use crate::hooks::UndoEntry;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_log::{DraftField, set_text_of, text_of};
use sash_words::t;
use std::rc::Rc;

impl Drafts {
    /// What is kept of a field of the open chat.
    #[must_use]
    pub fn field(self, field: DraftField) -> Option<String> {
        self.fields
            .with(|fields| text_of(fields, field).map(str::to_owned))
    }

    /// Whether something is kept of a field of the open chat.
    #[must_use]
    pub fn has_field(self, field: DraftField) -> bool {
        self.fields.with(|fields| text_of(fields, field).is_some())
    }

    /// Takes what is written in a field of the open chat. A text that is the `saved` one is no draft.
    pub fn write_field(self, field: DraftField, text: &str, saved: &str) {
        let text = Some(text).filter(|text| *text != saved);
        let is_known = self
            .fields
            .with_untracked(|fields| text_of(fields, field) == text);
        if !is_known {
            self.fields
                .update(|fields| set_text_of(fields, field, text.map(str::to_owned)));
        }
    }

    /// Forgets what is kept of a field of a chat: it was saved or sent.
    pub fn drop_field(self, chat: Id, field: DraftField) {
        self.change(chat, |draft| set_text_of(&mut draft.fields, field, None));
        // A crash must not bring back what was saved or sent.
        self.write();
    }

    /// Throws away what is kept of a field of the open chat; that can be undone.
    pub fn discard_field(self, field: DraftField) {
        let chat = self.chats().open_id_untracked();
        if let Some(text) = untrack(|| self.field(field)) {
            self.drop_field(chat, field);
            let undo = self.history().push(UndoEntry {
                chat: Some(chat),
                holds: Rc::new(move || self.chats().open_id() == chat && !self.has_field(field)),
                undo: Box::new(move |_| self.restore_field(chat, field, text)),
            });
            self.notices().show_undo(t!(state.discarded_a_text), undo);
        }
    }

    /// Brings back what was thrown away, unless the field has another text by now. Returns whether it did.
    fn restore_field(self, chat: Id, field: DraftField, text: String) -> bool {
        let mut is_restored = false;
        self.change(chat, |draft| {
            if text_of(&draft.fields, field).is_none() {
                set_text_of(&mut draft.fields, field, Some(text));
                is_restored = true;
            }
        });
        self.write();
        if is_restored {
            self.notices().toast.set(None);
        }
        is_restored
    }
}
