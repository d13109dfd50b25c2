//! The stores of the chat itself, created in an order without cycles. No feature is named here.

use crate::base::{Base, BaseStores};
use crate::hooks::{Commands, EngineUsers, Urgency};
use crate::{
    Answers, Attachments, Chats, DraftQuestion, Drafts, Edges, EngineStore, History, LogEvent,
    Notices, PageLog, RemoteAnswers, SettingsStore, Steering, Storage, StorageState, Tabs, View,
};
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::Id;

handle! {
    /// The kernel's stores of one tab: a handle of eight bytes, with a method for each. They live as long as the owner under
    /// which they were made.
    pub struct Kernel;

    /// The kernel's stores themselves.
    pub struct KernelStores {
        /// The clock, ids, timers, locks and the page.
        edges: Edges,
        /// The visible parts of the page, and what to show next.
        view: View,
        /// The status line, and announcements to screen readers.
        notices: Notices,
        /// What can be undone.
        history: History,
        /// The log, its state, and the free room.
        storage: Storage,
        /// The person's settings for all chats.
        settings: SettingsStore,
        /// What can be done by the list of commands and by keys.
        commands: Commands,
        /// The state of the engines and their models.
        engine: EngineStore,
        /// The list of chats and the open one.
        chats: Chats,
        /// The unsent texts of the composer.
        drafts: Drafts,
        /// The question whether an engine may have them.
        draft_question: DraftQuestion,
        /// The window of the open chat.
        steering: Steering,
        /// Images of the draft and the window.
        attachments: Attachments,
        /// Answers that run in other tabs.
        remote: RemoteAnswers,
        /// Answers, from the prompt to the end.
        answers: Answers,
        /// Changes by other tabs.
        tabs: Tabs,
        /// Who uses an engine now.
        engine_users: EngineUsers,
    }
}

/// What a tab remembers over a reload.
#[derive(Clone, Copy, Default)]
pub struct RememberedTab {
    /// The chat that was open; none in a new tab.
    pub chat: Option<Id>,
    /// Whether the panel was shown.
    pub panel_shown: bool,
}

impl Kernel {
    /// Creates the kernel's stores of a tab over an opened log, under the current owner.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState, tab: RememberedTab) -> Self {
        let notices = Notices::new(edges);
        let storage = Storage::new(edges, log, state);
        let settings = SettingsStore::new(storage);
        let stores = BaseStores {
            edges,
            view: View::new(tab.panel_shown),
            notices,
            history: History::new(notices),
            storage,
            settings,
            engine: EngineStore::new(edges, settings, notices),
        };
        let base = Base::from(stores);
        let chats = Chats::new(base, tab.chat);
        let drafts = Drafts::new(base, chats, tab.chat);
        let steering = Steering::new(base, chats, drafts);
        let attachments = Attachments::new(base, chats, drafts, steering);
        let remote = RemoteAnswers::new(base, chats);
        let answers = Answers::new(base, chats, drafts, steering, attachments, remote);
        let engine_users = EngineUsers::default();
        engine_users.add(Urgency::Answer, move || answers.is_any_busy_in_any_tab());
        let kernel = Self(StoredValue::new(KernelStores {
            edges,
            view: stores.view,
            notices,
            history: stores.history,
            storage,
            settings,
            commands: Commands::default(),
            engine: stores.engine,
            chats,
            drafts,
            draft_question: DraftQuestion::new(base, drafts, steering),
            steering,
            attachments,
            remote,
            answers,
            tabs: Tabs::new(base, chats, drafts, remote, answers),
            engine_users,
        }));
        storage.events().on(move |event| {
            if *event == LogEvent::ManyWritten {
                chats.refresh_list();
                answers.reload_open();
                storage.write_waiting();
            }
        });
        kernel
    }

    /// The stores themselves.
    #[must_use]
    pub fn stores(self) -> KernelStores {
        self.0.get_value()
    }

    /// Whether the open chat is a temporary one with words in it, which a reload would end.
    #[must_use]
    pub fn has_temporary_words(self) -> bool {
        let chats = self.chats();
        let has_draft = || self.drafts().draft.with(|draft| !draft.is_empty());
        chats.is_temporary(chats.open_id())
            && (chats.path.with(|path| !path.is_empty()) || has_draft())
    }

    /// Takes up the answers that were running when the pages of this browser were closed. The root calls it once the stores
    /// of all rooms are made, so that each listens, and before one looks which tab holds a chat: that would keep this one from
    /// holding it.
    pub fn start(self) {
        self.answers().resume_all();
        self.tabs().find_remote_answer();
    }
}
