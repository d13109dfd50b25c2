//! The page's stores, created in one place and in an order without cycles. Each is also a context.

use crate::browser::edges::edges;
use crate::browser::log::{ClearedLog, open_log};
use crate::browser::{page, storage as browser_storage};
use crate::ui::parts::{grouped, plural};
use leptos::prelude::*;
use sash_log::pack::Gain;
use sash_state::{
    Answers, Chats, Drafts, Engine, History, Library, Mentions, Notices, Pulls, RemoteAnswers,
    SettingsStore, Steering, Storage, Tabs, View, WhatIf, WhatIfState,
};

/// All stores. They are small handles and can be copied freely.
#[derive(Clone, Copy)]
pub struct Stores {
    /// The visible parts of the page, and what to show next.
    pub view: View,
    /// The status line, and announcements to screen readers.
    pub notices: Notices,
    /// The log, its state, and the free room.
    pub storage: Storage,
    /// The person's settings for all chats.
    pub settings: SettingsStore,
    /// The state of Ollama and its models.
    pub engine: Engine,
    /// The list of chats and the open one.
    pub chats: Chats,
    /// The unsent texts of the composer.
    pub drafts: Drafts,
    /// The window of the open chat.
    pub steering: Steering,
    /// Answers that run in other tabs.
    pub remote: RemoteAnswers,
    /// Answers, from the prompt to the end.
    pub answers: Answers,
    /// Pulls of models.
    pub pulls: Pulls,
    /// Messages outside the window that a draft refers to.
    pub mentions: Mentions,
    /// The same question with another window.
    pub what_if: WhatIf,
    /// Operations on all chats.
    pub library: Library,
    /// Changes by other tabs.
    pub tabs: Tabs,
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
        let view = View::new(page::is_panel_remembered());
        let notices = Notices::new(edges);
        let history = History::default();
        let storage = Storage::new(edges, log, state);
        let settings = SettingsStore::new(storage);
        let engine = Engine::new(edges, settings, notices);
        let remembered = page::remembered_chat();
        let chats = Chats::new(edges, view, notices, history, storage, settings, remembered);
        let drafts = Drafts::new(edges, history, storage, chats);
        let steering = Steering::new(notices, history, storage, settings, engine, chats, drafts);
        let remote = RemoteAnswers::new(edges, storage, chats);
        let answers = Answers::new(edges, steering, remote);
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
            pulls: Pulls::new(edges, notices, settings, engine, chats),
            mentions: Mentions::new(edges, steering, answers),
            what_if: WhatIf::new(edges, chats, steering, answers),
            library: Library::new(edges, storage, chats, answers),
            tabs: Tabs::new(answers, remote),
        }
    }

    /// Provides each store as a context, and all of them as one.
    pub fn provide(self) {
        provide_context(self);
        provide_context(self.view);
        provide_context(self.notices);
        provide_context(self.storage);
        provide_context(self.settings);
        provide_context(self.engine);
        provide_context(self.chats);
        provide_context(self.drafts);
        provide_context(self.steering);
        provide_context(self.remote);
        provide_context(self.answers);
        provide_context(self.pulls);
        provide_context(self.mentions);
        provide_context(self.what_if);
        provide_context(self.library);
        provide_context(self.tabs);
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
fn packed_words(gain: &Gain) -> String {
    format!(
        "Packed {} of old chats: {} kB of storage are free again",
        plural(gain.messages, "message"),
        grouped((gain.before.saturating_sub(gain.after) / 1000) as u64)
    )
}
