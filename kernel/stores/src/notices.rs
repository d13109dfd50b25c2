//! The toast at the foot of the page, and announcements for screen readers.

use crate::edges::Edges;
use crate::hooks::UndoId;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_words::t;
use std::time::Duration;

/// How long an announcement stays in its live region. A live region announces only changes, so the
/// same words can be announced again once it is empty.
const ANNOUNCED_FOR: Duration = Duration::from_secs(1);
/// Makes the same words another text for a live region.
const NO_BREAK_SPACE: &str = "\u{a0}";

/// A message at the foot of the page, possibly with an undo button.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Toast {
    /// What happened.
    pub text: String,
    /// What its button undoes.
    pub undo: Option<UndoId>,
    /// Whether it goes with the next prompt or another chat: what it says of the chat is no longer what the person sees.
    pub is_of_moment: bool,
}

/// Toast and announcements.
#[derive(Clone, Copy)]
pub struct Notices {
    edges: Edges,
    /// The toast.
    pub toast: RwSignal<Option<Toast>>,
    /// The text of the polite live region.
    pub status: RwSignal<String>,
    /// The text of the assertive live region.
    pub alert: RwSignal<String>,
}

impl Notices {
    /// Creates the store with nothing to say.
    #[must_use]
    pub fn new(edges: Edges) -> Self {
        Self {
            edges,
            toast: RwSignal::new(None),
            status: RwSignal::new(String::new()),
            alert: RwSignal::new(String::new()),
        }
    }

    /// Announces a text politely; the region is emptied soon after, so that the same words can be
    /// announced again.
    pub fn announce(self, text: impl Into<String>) {
        self.say(self.status, text.into());
    }

    /// Announces that a text was copied, or shows that it was not.
    pub fn announce_copied(self, copied: bool) {
        match copied {
            true => self.announce(copied_words(true)),
            false => self.show(copied_words(false)),
        }
    }

    /// Announces a text assertively.
    pub fn announce_now(self, text: impl Into<String>) {
        self.say(self.alert, text.into());
    }

    /// Shows a toast without a button.
    pub fn show(self, text: impl Into<String>) {
        self.put(text.into(), None, true);
    }

    /// Shows a toast with an undo button.
    pub fn show_undo(self, text: impl Into<String>, undo: UndoId) {
        self.put(text.into(), Some(undo), false);
    }

    /// The same for a step of steering.
    pub fn show_step(self, text: impl Into<String>, undo: UndoId) {
        self.put(text.into(), Some(undo), true);
    }

    /// Removes the toast if it offers to undo this: it was undone, or a further step was made.
    pub fn drop_undo(self, undo: UndoId) {
        self.drop_if(|toast| toast.undo == Some(undo));
    }

    /// Removes the toast if it is of the moment: a prompt was sent or another chat opened.
    pub fn drop_outdated(self) {
        self.drop_if(|toast| toast.is_of_moment);
    }

    fn put(self, text: String, undo: Option<UndoId>, is_of_moment: bool) {
        self.toast.set(Some(Toast {
            text,
            undo,
            is_of_moment,
        }));
    }

    fn drop_if(self, is_it: impl Fn(&Toast) -> bool) {
        let toast = |toast: &Option<Toast>| toast.as_ref().is_some_and(is_it);
        if self.toast.with_untracked(toast) {
            self.toast.set(None);
        }
    }

    fn say(self, region: RwSignal<String>, text: String) {
        // A live region announces only changes. Set twice in one task the region would not change for the reader, so the
        // same words, said again within their second, differ by a space that is not read.
        let is_same = region.with_untracked(|now| *now == text);
        let text = if is_same { text + NO_BREAK_SPACE } else { text };
        region.set(text.clone());
        self.edges.after(ANNOUNCED_FOR, move || {
            // Keep an announcement made meanwhile.
            if region.try_with_untracked(|now| *now == text) == Some(true) {
                region.set(String::new());
            }
        });
    }
}

/// What a button for copying says afterwards.
#[must_use]
pub fn copied_words(copied: bool) -> &'static str {
    if copied {
        t!(state.copied)
    } else {
        t!(state.could_not_copy)
    }
}
