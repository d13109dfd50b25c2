//! All stores, created in one place and in an order without cycles.

use crate::branch_index::BranchIndex;
use crate::chats::PageLog;
use crate::models::OpenModel;
use crate::{
    AllChats, Answers, Attachments, Chats, Drafts, Edges, Embeddings, Engine, History, Imports,
    Library, Mentions, Models, Notices, Numbers, Pulls, Recalls, RemoteAnswers, SettingsStore,
    Steering, Storage, StorageState, Summaries, Tabs, View, WhatIf, shared,
};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_wire::{PageAddress, SubPage, Upstream};

/// All stores of one tab. They are references and can be copied freely.
#[derive(Clone, Copy)]
pub struct Stores {
    /// The visible parts of the page, and what to show next.
    pub view: &'static View,
    /// The status line, and announcements to screen readers.
    pub notices: &'static Notices,
    /// The log, its state, and the free room.
    pub storage: &'static Storage,
    /// The person's settings for all chats.
    pub settings: &'static SettingsStore,
    /// The state of the engines and their models.
    pub engine: &'static Engine,
    /// The list of chats and the open one.
    pub chats: &'static Chats,
    /// The unsent texts of the composer.
    pub drafts: &'static Drafts,
    /// The window of the open chat.
    pub steering: &'static Steering,
    /// Images of the draft and the window.
    pub attachments: &'static Attachments,
    /// Answers that run in other tabs.
    pub remote: &'static RemoteAnswers,
    /// Answers, from the prompt to the end.
    pub answers: &'static Answers,
    /// The installed models.
    pub models: &'static Models,
    /// Pulls of models.
    pub pulls: &'static Pulls,
    /// Messages outside the window that a draft refers to.
    pub mentions: &'static Mentions,
    /// The index of all chats.
    pub all_chats: &'static AllChats,
    /// Vectors of messages.
    pub embeddings: &'static Embeddings,
    /// Messages outside the window that go with the draft by themselves.
    pub recalls: &'static Recalls,
    /// Summaries of what left the window.
    pub summaries: &'static Summaries,
    /// The same question with another window.
    pub what_if: &'static WhatIf,
    /// Operations on all chats.
    pub library: &'static Library,
    /// The import of a file.
    pub imports: &'static Imports,
    /// What the answers of the log cost.
    pub numbers: &'static Numbers,
    /// Changes by other tabs.
    pub tabs: &'static Tabs,
}

/// What a tab remembers over a reload.
#[derive(Clone, Copy, Default)]
pub struct RememberedTab {
    /// The chat that was open; none in a new tab.
    pub chat: Option<Id>,
    /// Whether the panel was shown.
    pub panel_shown: bool,
}

impl Stores {
    /// Creates the stores of a tab over an opened log.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState, tab: RememberedTab) -> Self {
        let view = shared(View::new(tab.panel_shown));
        let notices = shared(Notices::new(edges));
        let history = History::default();
        let storage = shared(Storage::new(edges, log, state));
        let settings = shared(SettingsStore::new(storage));
        let engine = shared(Engine::new(edges, settings, notices));
        let chats = shared(Chats::new(
            edges, view, notices, history, storage, settings, tab.chat,
        ));
        let drafts = shared(Drafts::new(edges, history, storage, chats));
        let steering = shared(Steering::new(
            notices, history, storage, settings, engine, chats, drafts,
        ));
        let attachments = shared(Attachments::new(edges, engine, steering));
        let remote = shared(RemoteAnswers::new(edges, storage, chats));
        let answers = shared(Answers::new(edges, steering, attachments, remote));
        let index = BranchIndex::new(edges, chats, answers);
        let all_chats = shared(AllChats::new(edges, storage));
        let embeddings = shared(Embeddings::new(edges, steering, answers));
        let library = shared(Library::new(
            edges,
            storage,
            chats,
            answers,
            attachments,
            embeddings,
        ));
        let recalls = shared(Recalls::new(edges, steering, index, all_chats, embeddings));
        Self {
            view,
            notices,
            storage,
            settings,
            engine,
            chats,
            drafts,
            steering,
            attachments,
            remote,
            answers,
            models: shared(Models::new(edges, notices, settings, engine)),
            pulls: shared(Pulls::new(edges, notices, engine, chats)),
            all_chats,
            embeddings,
            recalls,
            mentions: shared(Mentions::new(edges, steering, recalls, index)),
            summaries: shared(Summaries::new(edges, steering, answers)),
            what_if: shared(WhatIf::new(edges, chats, steering, answers)),
            library,
            imports: shared(Imports::new(edges, storage, engine, attachments, library)),
            numbers: shared(Numbers::new(edges, storage)),
            tabs: shared(Tabs::new(answers, remote)),
        }
    }

    /// The address of what is shown.
    #[must_use]
    pub fn address(self) -> PageAddress {
        let model = self
            .models
            .open
            .with(|open| open.as_ref().map(|open| open.model.clone()));
        match self.view.sub_page.get() {
            Some(SubPage::Models) if model.is_some() => {
                PageAddress::Model(model.unwrap_or_default())
            }
            Some(page) => PageAddress::Sub(page),
            None => self.chats.address(),
        }
    }

    /// Shows what an address names. Returns whether there is such a chat.
    pub fn follow(self, address: PageAddress) -> bool {
        let (page, model) = match &address {
            PageAddress::Sub(page) => (Some(*page), None),
            PageAddress::Model(key) => (Some(SubPage::Models), Some(key)),
            PageAddress::NewChat | PageAddress::Chat(_) => (None, None),
        };
        let shown = |open: &Option<OpenModel>| open.as_ref().map(|open| open.model.clone());
        if self.models.open.with_untracked(shown).as_ref() != model {
            match model {
                Some(key) => self.models.show(key),
                None => self.models.open.set(None),
            }
        }
        if self.view.sub_page.get_untracked() != page {
            self.view.sub_page.set(page);
        }
        self.chats.follow(address)
    }

    /// Starts the effects of one store on another, brings back the draft of a closed tab, and
    /// checks Ollama.
    pub fn start(self, tab: RememberedTab) {
        let open = Memo::new(move |_| self.chats.open_id());
        Effect::new(move || {
            // Read the memo instead of tracking it: an unread memo does not follow its signals.
            open.get();
            untrack(|| self.drafts.change_chat());
            untrack(|| self.tabs.look_for_answer());
        });
        Effect::new(move || {
            self.drafts.draft.track();
            self.drafts.images.track();
            self.drafts.results.track();
            untrack(|| self.drafts.note_change());
        });
        Effect::new(move || self.attachments.look());
        Effect::new(move || {
            self.drafts.draft.track();
            self.chats.path.track();
            self.steering.window.track();
            self.mentions.update();
        });
        let mutes = Memo::new(move |_| self.chats.open.with(|chat| chat.head.mutes.clone()));
        Effect::new(move || {
            self.drafts.draft.track();
            self.steering.window.track();
            self.steering.recall_setting.track();
            // A message outside the window that is muted changes no window.
            mutes.get();
            untrack(|| self.recalls.update());
        });
        Effect::new(move || {
            self.embeddings.news.track();
            untrack(|| self.recalls.update_ranking());
        });
        let model = Memo::new(move |_| self.settings.current.with(|s| s.embedding_model.clone()));
        Effect::new(move || {
            model.track();
            untrack(|| self.embeddings.follow_model());
        });
        let upstream = Memo::new(move |_| self.settings.current.with(|s| s.upstream));
        Effect::new(move |former: Option<Upstream>| {
            let now = upstream.get();
            // The choice may have been made in another tab.
            if former.is_some_and(|former| former != now) {
                untrack(|| self.engine.follow_upstream());
            }
            now
        });
        let answering = Memo::new(move |_| self.answers.is_any_busy());
        Effect::new(move || match answering.get() {
            true => untrack(|| self.summaries.make_way()),
            false => untrack(|| self.summaries.write_if_due()),
        });
        let busy = Memo::new(move |_| {
            answering.get() || self.remote.any() || self.summaries.draft.with(Option::is_some)
        });
        Effect::new(move || {
            let busy = busy.get();
            untrack(|| self.embeddings.follow_activity(busy));
        });
        Effect::new(move || {
            self.chats.path.track();
            self.steering.recall_setting.track();
            untrack(|| self.embeddings.update());
        });
        if tab.chat.is_none() {
            // The tab or the browser was closed while the draft was being written.
            let chats = self.chats.list;
            let touched = chats.with_untracked(|all| all.first().map_or(0, |chat| chat.touched));
            self.drafts.find_begun(touched);
        }
        self.engine.refresh();
        self.imports.start();
    }
}
