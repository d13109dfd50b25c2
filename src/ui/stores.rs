//! The page's stores, created in one place and in an order without cycles.

use crate::browser::edges::edges;
use crate::browser::log::{ClearedLog, open_log};
use crate::browser::{page, storage as browser_storage};
use crate::ui::parts::{grouped, plural};
use leptos::prelude::*;
use sash_log::pack::PackingGain;
use sash_state::{
    Answers, Chats, Drafts, Engine, History, Library, Mentions, Notices, Pulls, RemoteAnswers,
    SettingsStore, Steering, Storage, Tabs, View, WhatIf, WhatIfState, shared,
};

/// All stores. They are references and can be copied freely.
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
    /// The state of Ollama and its models.
    pub engine: &'static Engine,
    /// The list of chats and the open one.
    pub chats: &'static Chats,
    /// The unsent texts of the composer.
    pub drafts: &'static Drafts,
    /// The window of the open chat.
    pub steering: &'static Steering,
    /// Answers that run in other tabs.
    pub remote: &'static RemoteAnswers,
    /// Answers, from the prompt to the end.
    pub answers: &'static Answers,
    /// Pulls of models.
    pub pulls: &'static Pulls,
    /// Messages outside the window that a draft refers to.
    pub mentions: &'static Mentions,
    /// The same question with another window.
    pub what_if: &'static WhatIf,
    /// Operations on all chats.
    pub library: &'static Library,
    /// Changes by other tabs.
    pub tabs: &'static Tabs,
}

/// The stores, from the context.
#[must_use]
pub fn use_stores() -> Stores {
    expect_context::<Stores>()
}

impl Stores {
    /// Opens the log and creates the stores.
    #[must_use]
    pub fn new() -> Self {
        let edges = edges();
        let (log, state) = open_log();
        let view = shared(View::new(page::is_panel_remembered()));
        let notices = shared(Notices::new(edges));
        let history = History::default();
        let storage = shared(Storage::new(edges, log, state));
        let settings = shared(SettingsStore::new(storage));
        let engine = shared(Engine::new(edges, settings, notices));
        let remembered = page::remembered_chat();
        let chats = shared(Chats::new(
            edges, view, notices, history, storage, settings, remembered,
        ));
        let drafts = shared(Drafts::new(edges, history, storage, chats));
        let steering = shared(Steering::new(
            notices, history, storage, settings, engine, chats, drafts,
        ));
        let remote = shared(RemoteAnswers::new(edges, storage, chats));
        let answers = shared(Answers::new(edges, steering, remote));
        Self {
            view,
            notices,
            storage,
            settings,
            engine,
            chats,
            drafts,
            steering,
            remote,
            answers,
            pulls: shared(Pulls::new(edges, notices, settings, engine, chats)),
            mentions: shared(Mentions::new(edges, steering, answers)),
            what_if: shared(WhatIf::new(edges, chats, steering, answers)),
            library: shared(Library::new(edges, storage, chats, answers)),
            tabs: shared(Tabs::new(answers, remote)),
        }
    }

    /// Provides them as a context.
    pub fn provide(self) {
        provide_context(self);
    }

    /// Connects the stores to events of the browser, and checks Ollama.
    pub fn start(self) {
        let is_new_tab = page::remembered_chat().is_none();
        browser_storage::on_other_tab(move |key, there| {
            if key == Some(browser_storage::DELETING) {
                page::follow_deletion(there);
            }
            if !browser_storage::is_closed() {
                self.tabs.on_storage_event(key, there);
            }
        });
        page::on_search_key(move || self.library.open("search"));
        page::on_undo(move || {
            self.what_if.state.get_untracked() == WhatIfState::Closed && self.steering.undo()
        });
        page::on_leaving(move || self.answers.write_everything());
        page::on_return(move || {
            // With a wrong token each check would count as an attempt.
            if !self.engine.needs_token.get_untracked() {
                self.engine.look();
            }
        });
        self.follow_signals();
        if is_new_tab {
            // The tab or the browser was closed while the draft was being written.
            let chats = self.chats.list;
            let touched = chats.with_untracked(|all| all.first().map_or(0, |chat| chat.touched));
            self.drafts.find_begun(touched);
        }
        self.engine.look();
        self.storage.measure();
    }

    /// The actions for a log that someone cleared.
    #[must_use]
    pub fn cleared_log(self) -> ClearedLog {
        ClearedLog {
            storage: self.storage,
            settings: self.settings,
            chats: self.chats,
            answers: self.answers,
        }
    }

    /// Effects of the stores' signals that belong to no component.
    fn follow_signals(self) {
        Effect::new(move || page::remember_chat(self.chats.open_id()));
        Effect::new(move || page::remember_panel(self.view.panel_shown.get()));
        let open = Memo::new(move |_| self.chats.open_id());
        Effect::new(move || {
            // Read the memo instead of tracking it: an unread memo does not follow its signals.
            open.get();
            untrack(|| self.drafts.change_chat());
            untrack(|| self.tabs.look_for_answer());
        });
        Effect::new(move || {
            self.drafts.draft.track();
            untrack(|| self.drafts.note_change());
        });
        let percent = Memo::new(move |_| self.storage.state.with(|now| now.percent));
        Effect::new(move || {
            let percent = percent.get();
            leptos::task::spawn_local(async move {
                let gain = self.library.pack_when_full(percent).await;
                if gain.messages > 0 {
                    self.notices.show(packed_words(&gain));
                }
            });
        });
    }
}

/// The message about chats that were packed automatically.
fn packed_words(gain: &PackingGain) -> String {
    format!(
        "Packed {} of old chats: {} kB of storage are free again",
        plural(gain.messages, "message"),
        grouped((gain.before.saturating_sub(gain.after) / 1000) as u64)
    )
}
