//! What is open on the page, and what is to be shown next.

use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;

/// A message that is to be on the page, and whether the reader is brought to it.
pub type Goal = (Id, bool);

/// What is open, and what is to be shown next.
#[derive(Clone, Copy)]
pub struct View {
    /// Whether the panel "What the model sees" is open.
    pub panel_shown: RwSignal<bool>,
    /// Whether the dialog with the open chat's system prompt is open.
    pub system_shown: RwSignal<bool>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
    /// Whether the list of chats is open on a narrow page.
    pub chats_shown: RwSignal<bool>,
    /// The message that the transcript is to show next.
    pub goal: RwSignal<Option<Goal>>,
    /// The question that is to be edited, once its row is on the page.
    pub edit_asked: RwSignal<Option<Id>>,
    /// The messages that the opened receipt names.
    pub read_by: RwSignal<Option<(Id, Vec<Id>)>>,
}

impl View {
    /// A page with only the transcript open, and the panel where it was `panel_shown`.
    #[must_use]
    pub fn new(panel_shown: bool) -> Self {
        Self {
            panel_shown: RwSignal::new(panel_shown),
            system_shown: RwSignal::new(false),
            keys_shown: RwSignal::new(false),
            chats_shown: RwSignal::new(false),
            goal: RwSignal::new(None),
            edit_asked: RwSignal::new(None),
            read_by: RwSignal::new(None),
        }
    }

    /// Brings the reader to a message of the branch that is being read, and focus to it.
    pub fn reveal(self, id: Id) {
        self.goal.set(Some((id, true)));
    }

    /// Keeps the reader where they are while they walk to another version of a message.
    pub fn stay_at(self, id: Id) {
        self.goal.set(Some((id, false)));
    }
}
