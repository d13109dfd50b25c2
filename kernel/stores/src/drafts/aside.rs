//! The own draft while the composer shows an earlier question: it stays the draft of the chat, in the log and in other
//! tabs, and comes back at the end of the walk or once the question is sent.

use super::{Drafts, split_files};
use reactive_graph::prelude::*;
use sash_chat::{Id, Image, Message};
use sash_log::{DraftField, set_text_of, text_of};

/// The draft that is put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aside {
    /// What was being written.
    pub own: String,
    /// Its images.
    pub images: Vec<Image>,
    /// The question that the composer shows.
    question: Id,
    /// The question as it was asked.
    asked: String,
}

impl Aside {
    fn is_written(&self) -> bool {
        !self.own.trim().is_empty() || !self.images.is_empty()
    }
}

impl Drafts {
    /// Whether something half-written is put aside while the composer shows an earlier question.
    #[must_use]
    pub fn has_aside(self) -> bool {
        self.aside
            .with(|aside| aside.as_ref().is_some_and(Aside::is_written))
    }

    /// The earlier question that the composer shows.
    pub fn shown_question(self) -> Option<Id> {
        self.aside
            .with_untracked(|aside| aside.as_ref().map(|aside| aside.question))
    }

    /// Shows an earlier question in the composer, as the person changed it if they did; what is being written is put
    /// aside.
    pub fn show_question(self, question: &Message) {
        self.follow_aside();
        let (own, images) = self.aside.with_untracked(|aside| match aside {
            Some(aside) => (aside.own.clone(), aside.images.clone()),
            None => (self.draft.get_untracked(), self.images.get_untracked()),
        });
        let changed = self.fields.with_untracked(|fields| {
            text_of(fields, DraftField::Question(question.id)).map(str::to_owned)
        });
        if self.aside.with_untracked(Option::is_none) && !images.is_empty() {
            self.images.set(Vec::new());
        }
        self.aside.set(Some(Aside {
            own,
            images,
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
            self.take_back(&aside);
        }
    }

    /// Shows the own draft again once the question in its place was sent.
    pub fn show_own_after_sending(self) {
        if let Some(aside) = self.aside.get_untracked() {
            let field = DraftField::Question(aside.question);
            self.fields
                .update(|fields| set_text_of(fields, field, None));
            self.take_back(&aside);
        }
    }

    /// The images of the own draft, also while an earlier question is in the composer.
    pub(crate) fn own_images(self) -> Vec<Image> {
        let own = self
            .aside
            .with_untracked(|aside| aside.as_ref().map(|aside| aside.images.clone()));
        let added = self.images.get_untracked();
        own.into_iter().flatten().chain(added).collect()
    }

    /// Whether the own draft has just these images; nothing is copied, since each key asks.
    pub(super) fn has_own_images(self, images: &[Image]) -> bool {
        self.aside.with_untracked(|aside| {
            let own = aside.as_ref().map_or(&[][..], |aside| &*aside.images);
            self.images
                .with_untracked(|added| own.iter().chain(added).eq(images))
        })
    }

    fn take_back(self, aside: &Aside) {
        if !aside.images.is_empty() {
            self.images.set(self.own_images());
        }
        self.aside.set(None);
        self.set_text(&aside.own);
    }

    /// Keeps what the person changed in the question that is shown. Where nothing was put aside for it, the changed
    /// question is the draft. A field that has the own draft again, by the browser's undo, ends the walk.
    pub(super) fn follow_aside(self) {
        let Some(aside) = self.aside.get_untracked() else {
            return;
        };
        let text = self.draft.get_untracked();
        // The browser undoes what was written and not the files beside it.
        let (_, own) = split_files(&aside.own);
        let is_own = !own.is_empty() && self.written.with_untracked(|written| written == own);
        if is_own && text != aside.asked {
            self.take_back(&aside);
        } else if aside.is_written() {
            self.write_field(DraftField::Question(aside.question), &text, &aside.asked);
        } else if text != aside.asked && !text.trim().is_empty() {
            self.aside.set(None);
        }
    }
}
