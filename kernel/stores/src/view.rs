//! The view: what is open on the page, and where it scrolls next.

use reactive_graph::prelude::*;
use reactive_graph::signal::{RwSignal, Trigger};
use sash_chat::Id;
use sash_wire::SubPage;

/// A message to scroll to, and whether to bring the reader there and focus it.
pub type Goal = (Id, bool);

/// What is open on the page, and where it scrolls next.
#[derive(Clone, Copy, Default)]
pub struct View {
    /// Whether the panel "What the model sees" is open.
    pub panel_shown: RwSignal<bool>,
    /// Whether the system prompt dialog of the open chat is open.
    pub system_shown: RwSignal<bool>,
    /// Whether the rules for what goes with each question are open.
    pub rules_shown: RwSignal<bool>,
    /// Whether the title of the open chat is being edited.
    pub renaming: RwSignal<bool>,
    /// The page that is shown over the chat.
    pub sub_page: RwSignal<Option<SubPage>>,
    /// The tab of *All chats* that is shown, by its name; `None` while that dialog is closed.
    pub all_chats_tab: RwSignal<Option<&'static str>>,
    /// Whether the list of chats is open on a narrow page.
    pub chats_shown: RwSignal<bool>,
    /// Notifies the transcript to print the open chat.
    pub print_asked: Trigger,
    /// The message that the transcript scrolls to next.
    pub goal: RwSignal<Option<Goal>>,
    /// The question to open for editing once its row is rendered.
    pub edit_asked: RwSignal<Option<Id>>,
    /// The opened receipt's answer and the messages it names.
    pub read_by: RwSignal<Option<(Id, Vec<Id>)>>,
}

impl View {
    /// Creates the view with everything closed except the panel, if `panel_shown`.
    #[must_use]
    pub fn new(panel_shown: bool) -> Self {
        Self {
            panel_shown: RwSignal::new(panel_shown),
            ..Self::default()
        }
    }

    /// Shows the page of that name over the chat.
    pub fn show_page(self, name: &'static str) {
        self.sub_page.set(Some(SubPage::whole(name)));
    }

    /// Opens *All chats* at the tab of that name.
    pub fn show_all_chats(self, tab: &'static str) {
        self.all_chats_tab.set(Some(tab));
    }

    /// Scrolls to a message of the shown branch and focuses it.
    pub fn reveal(self, id: Id) {
        self.goal.set(Some((id, true)));
    }

    /// Keeps the scroll position while the reader switches to another version of a message.
    pub fn stay_at(self, id: Id) {
        self.goal.set(Some((id, false)));
    }
}
