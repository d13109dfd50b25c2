//! The own draft while the composer shows an earlier question: it stays the draft of the chat, in the log and in other
//! tabs, and comes back at the end of the walk or once the question is sent.

use super::Drafts;
use reactive_graph::prelude::*;
use sash_chat::{Id, Message};
use sash_log::{DraftField, set_text_of, text_of};

/// The draft that is put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aside {
    /// What was being written.
    pub own: String,
    /// The question that the composer shows.
    question: Id,
    /// The question as it was asked.
    asked: String,
}

impl Drafts {
    /// Whether something half-written is put aside while the composer shows an earlier question.
    #[must_use]
    pub fn has_aside(self) -> bool {
        let is_written = |aside: &Aside| !aside.own.trim().is_empty();
        self.aside
            .with(|aside| aside.as_ref().is_some_and(is_written))
    }

    /// The earlier question that the composer shows.
    pub(crate) fn shown_question(self) -> Option<Id> {
        self.aside
            .with_untracked(|aside| aside.as_ref().map(|aside| aside.question))
    }

    /// Shows an earlier question in the composer, as the person changed it if they did; what is being written is put
    /// aside.
    pub(crate) fn show_question(self, question: &Message) {
        self.follow_aside();
        let own = self.aside.with_untracked(|aside| match aside {
            Some(aside) => aside.own.clone(),
            None => self.draft.get_untracked(),
        });
        let changed = self.fields.with_untracked(|fields| {
            text_of(fields, DraftField::Question(question.id)).map(str::to_owned)
        });
        self.aside.set(Some(Aside {
            own,
            question: question.id,
            asked: question.content.clone(),
        }));
        self.set_text(changed.as_ref().unwrap_or(&question.content));
    }

    /// Shows the own draft again in place of an earlier question. What the person changed in that is kept for the next
    /// walk.
    pub fn show_own(self) {
        self.follow_aside();
        if let Some(aside) = self.aside.get_untracked() {
            self.aside.set(None);
            self.set_text(&aside.own);
        }
    }

    /// Shows the own draft again once the question in its place was sent.
    pub fn show_own_after_sending(self) {
        if let Some(aside) = self.aside.get_untracked() {
            let field = DraftField::Question(aside.question);
            self.aside.set(None);
            self.fields
                .update(|fields| set_text_of(fields, field, None));
            self.set_text(&aside.own);
        }
    }

    /// Keeps what the person changed in the question that is shown. Where nothing was put aside for it, the changed
    /// question is the draft.
    pub(super) fn follow_aside(self) {
        let Some(aside) = self.aside.get_untracked() else {
            return;
        };
        let text = self.draft.get_untracked();
        if !aside.own.trim().is_empty() {
            self.write_field(DraftField::Question(aside.question), &text, &aside.asked);
        } else if text != aside.asked && !text.trim().is_empty() {
            self.aside.set(None);
        }
    }
}
