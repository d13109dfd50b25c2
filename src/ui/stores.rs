//! The page's stores, built in one place and in an order that has no circles. Each is a context of its own too.

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

/// All stores. A handful of handles: copy it freely.
#[derive(Clone, Copy)]
pub struct Stores {
    /// What is open and what is to be shown next.
    pub view: View,
    /// The line at the foot, and what a screen reader is told.
    pub notices: Notices,
    /// The log, whether it is being written, and how much room is left.
    pub storage: Storage,
    /// What the person chose for all chats.
    pub settings: SettingsStore,
    /// Whether Ollama is there, and what it has.
    pub engine: Engine,
    /// The list of chats and the open one.
    pub chats: Chats,
    /// What is written in the composer and not sent.
    pub drafts: Drafts,
    /// The window of the open chat.
    pub steering: Steering,
    /// The answers that other tabs are giving.
    pub remote: RemoteAnswers,
    /// From a prompt to the end of its answer.
    pub answers: Answers,
    /// Pulling a model.
    pub pulls: Pulls,
    /// What a draft refers to and the model would not see.
    pub mentions: Mentions,
    /// The same question with another window.
    pub what_if: WhatIf,
    /// All chats at once.
    pub library: Library,
    /// What other tabs wrote.
    pub tabs: Tabs,
}

/// The stores, wherever a component stands.
#[must_use]
pub fn use_stores() -> Stores {
    expect_context::<Stores>()
}

impl Stores {
    /// Opens the log and makes the stores over it.
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

    /// Makes each store a context, and all of them one.
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

    /// Connects the stores to what happens in the browser, and looks for Ollama.
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
            // With a wrong token each look would count as an attempt.
            if !self.engine.needs_token.get_untracked() {
                self.engine.look();
            }
        });
        self.follow_signals();
        if is_new_tab {
            // The tab or the browser was closed while it was being written.
            let chats = self.chats.list;
            let touched = chats.with_untracked(|all| all.first().map_or(0, |chat| chat.touched));
            self.drafts.find_begun(touched);
        }
        self.engine.look();
        self.storage.measure();
    }

    /// What can be done about a log that someone cleared.
    #[must_use]
    pub fn cleared_log(self) -> ClearedLog {
        ClearedLog {
            storage: self.storage,
            settings: self.settings,
            chats: self.chats,
            answers: self.answers,
        }
    }

    /// What follows from the stores' signals outside of any room.
    fn follow_signals(self) {
        Effect::new(move || page::remember_chat(self.chats.open_id()));
        Effect::new(move || page::remember_panel(self.view.panel_shown.get()));
        let open = Memo::new(move |_| self.chats.open_id());
        Effect::new(move || {
            // Read, not only tracked: a memo that nobody reads does not follow its signals.
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

/// What there is to say of chats that were packed unasked.
fn packed_words(gain: &Gain) -> String {
    format!(
        "Packed {} of old chats: {} kB of storage are free again",
        plural(gain.messages, "message"),
        grouped((gain.before.saturating_sub(gain.after) / 1000) as u64)
    )
}
