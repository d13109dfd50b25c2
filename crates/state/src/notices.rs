//! The line at the foot of the page, and what a screen reader is told.

use crate::edges::Edges;
use crate::history::Undo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use std::time::Duration;

/// How long an announcement stands: the same words can be said again after it.
const ANNOUNCED_FOR: Duration = Duration::from_secs(1);

/// A line at the foot of the page with something to undo.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Toast {
    /// What happened.
    pub text: String,
    /// What can be undone.
    pub undo: Option<Undo>,
}

/// What the person is told.
#[derive(Clone, Copy)]
pub struct Notices {
    edges: Edges,
    /// The line at the foot.
    pub toast: RwSignal<Option<Toast>>,
    /// Said politely by a screen reader.
    pub status: RwSignal<String>,
    /// Said at once by a screen reader.
    pub alert: RwSignal<String>,
}

impl Notices {
    /// Nothing to say yet.
    #[must_use]
    pub fn new(edges: Edges) -> Self {
        Self {
            edges,
            toast: RwSignal::new(None),
            status: RwSignal::new(String::new()),
            alert: RwSignal::new(String::new()),
        }
    }

    /// Says something politely; cleared soon after, so that the same words can be said again.
    pub fn announce(self, text: impl Into<String>) {
        self.say(self.status, text.into());
    }

    /// Says whether a text was copied.
    pub fn announce_copied(self, copied: bool) {
        self.announce(if copied { "Copied" } else { "Could not copy" });
    }

    /// Says something at once.
    pub fn announce_now(self, text: impl Into<String>) {
        self.say(self.alert, text.into());
    }

    /// Shows a line at the foot.
    pub fn show(self, text: impl Into<String>) {
        self.toast.set(Some(Toast {
            text: text.into(),
            undo: None,
        }));
    }

    /// Shows a line at the foot with a way back.
    pub fn show_undo(self, text: impl Into<String>, undo: Undo) {
        self.toast.set(Some(Toast {
            text: text.into(),
            undo: Some(undo),
        }));
    }

    /// Takes away the line at the foot if it offers to undo a step: it would undo another one now, or stand before
    /// what is to be said.
    pub fn drop_step(self) {
        let step =
            |toast: &Option<Toast>| toast.as_ref().is_some_and(|t| t.undo == Some(Undo::Step));
        if self.toast.with_untracked(step) {
            self.toast.set(None);
        }
    }

    fn say(self, region: RwSignal<String>, text: String) {
        region.set(String::new());
        region.set(text.clone());
        self.edges.after(ANNOUNCED_FOR, move || {
            // What was said since stays.
            if region.try_with_untracked(|now| *now == text) == Some(true) {
                region.set(String::new());
            }
        });
    }
}
