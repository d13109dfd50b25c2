//! The toast at the foot of the page, and announcements for screen readers.

use crate::edges::Edges;
use crate::history::Undo;
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
    pub undo: Option<Undo>,
}

/// Toast and announcements.
#[derive(Clone, Copy)]
pub struct Notices {
    edges: Edges,
    /// The toast.
    pub toast: RwSignal<Option<Toast>>,
    /// Toasts that are the last way back to something: no other one takes their place.
    pub offers: RwSignal<Vec<Toast>>,
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
            offers: RwSignal::new(Vec::new()),
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
        self.toast.set(Some(Toast {
            text: text.into(),
            undo: None,
        }));
    }

    /// Shows a toast with an undo button.
    pub fn show_undo(self, text: impl Into<String>, undo: Undo) {
        let toast = Toast {
            text: text.into(),
            undo: Some(undo),
        };
        match undo.is_last_way_back() {
            true => {
                self.drop_offer(undo);
                self.offers.update(|all| all.push(toast));
            }
            false => self.toast.set(Some(toast)),
        }
    }

    /// Removes the toast that is the last way back to something: it is back, or gone.
    pub fn drop_offer(self, undo: Undo) {
        let is_it = |toast: &Toast| toast.undo == Some(undo);
        if self.offers.with_untracked(|all| all.iter().any(is_it)) {
            self.offers.update(|all| all.retain(|toast| !is_it(toast)));
        }
    }

    /// Removes the toast if it offers to undo a steering step: its button would now undo another
    /// step, or the toast would hide the next message.
    pub fn drop_step(self) {
        let step =
            |toast: &Option<Toast>| toast.as_ref().is_some_and(|t| t.undo == Some(Undo::Step));
        if self.toast.with_untracked(step) {
            self.toast.set(None);
        }
    }

    /// Removes the toast if it offers to undo a change of the list of chats: its button would now undo another one.
    pub fn drop_list_step(self) {
        let is_listed =
            |toast: &Option<Toast>| toast.as_ref().is_some_and(|t| t.undo == Some(Undo::Listed));
        if self.toast.with_untracked(is_listed) {
            self.toast.set(None);
        }
    }

    /// Removes the toast if it offers to undo a change of a prompt: its button would now undo another one.
    pub fn drop_prompt_step(self) {
        let is_prompt =
            |toast: &Option<Toast>| toast.as_ref().is_some_and(|t| t.undo == Some(Undo::Prompt));
        if self.toast.with_untracked(is_prompt) {
            self.toast.set(None);
        }
    }

    /// Removes the toast unless it offers to undo a deletion: a prompt was sent or another chat opened, and what the
    /// toast said about the chat is no longer what the person sees.
    pub fn drop_outdated(self) {
        let outdated = |toast: &Option<Toast>| {
            toast
                .as_ref()
                .is_some_and(|toast| matches!(toast.undo, None | Some(Undo::Step)))
        };
        if self.toast.with_untracked(outdated) {
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
