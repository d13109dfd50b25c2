//! All stores of one tab, connected as the page connects them, and helpers that read them.

use crate::machine::{Machine, settle};
use any_spawner::Executor;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id};
use sash_log::{Log, Store};
use sash_state::*;
use sash_wire::{DoneReason, Fault, Frame, Usage};

/// All stores of one tab.
#[derive(Clone, Copy)]
pub struct House {
    pub view: &'static View,
    pub notices: &'static Notices,
    pub storage: &'static Storage,
    pub settings: &'static SettingsStore,
    pub engine: &'static Engine,
    pub chats: &'static Chats,
    pub drafts: &'static Drafts,
    pub steering: &'static Steering,
    pub remote: &'static RemoteAnswers,
    pub answers: &'static Answers,
    pub pulls: &'static Pulls,
    pub mentions: &'static Mentions,
    pub what_if: &'static WhatIf,
    pub library: &'static Library,
    pub tabs: &'static Tabs,
}

impl House {
    /// The stores of a new tab; Ollama answered once and has one model.
    pub fn new(machine: &Machine) -> Self {
        Self::reopened(machine, None)
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let edges = machine.edges();
        let store: Box<dyn Store> = Box::new(machine.store());
        let log = Log::open(store, Id(900)).unwrap_or_else(|_| panic!("the log is ours"));
        let history = History::default();
        let view = shared(View::new(false));
        let notices = shared(Notices::new(edges));
        let storage = shared(Storage::new(edges, log, StorageState::default()));
        let settings = shared(SettingsStore::new(storage));
        let engine = shared(Engine::new(edges, settings, notices));
        let chats = shared(Chats::new(
            edges, view, notices, history, storage, settings, remembered,
        ));
        let drafts = shared(Drafts::new(edges, history, storage, chats));
        let steering = shared(Steering::new(
            notices, history, storage, settings, engine, chats, drafts,
        ));
        let remote = shared(RemoteAnswers::new(edges, storage, chats));
        let answers = shared(Answers::new(edges, steering, remote));
        let house = Self {
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
        };
        house.follow_signals();
        if remembered.is_none() {
            let chats = house.chats.list;
            drafts.find_begun(chats.with_untracked(|all| all.first().map_or(0, |c| c.touched)));
        }
        engine.look();
        settle();
        house
    }

    /// The effects that the page runs when signals of the stores change.
    fn follow_signals(self) {
        let open = Memo::new(move |_| self.chats.open_id());
        Effect::new(move || {
            open.get();
            untrack(|| self.drafts.change_chat());
            untrack(|| self.tabs.look_for_answer());
        });
        Effect::new(move || {
            self.drafts.draft.track();
            untrack(|| self.drafts.note_change());
        });
        Effect::new(move || {
            self.drafts.draft.track();
            self.chats.path.track();
            self.steering.window.track();
            self.mentions.look();
        });
    }

    /// Types a draft into the composer.
    pub fn write(self, draft: &str) {
        self.drafts.draft.set(draft.to_owned());
        settle();
    }

    /// Asks a question that is answered at once. Returns the ids of question and answer.
    pub fn exchange(self, machine: &Machine, question: &str, answer: &str) -> (Id, Id) {
        machine.answer(says(&[answer]));
        assert!(self.answers.ask(question.to_owned()), "{question}");
        machine.pass(100.0);
        match self.chats.path.get_untracked()[..] {
            [.., question, answer] => (question, answer),
            _ => panic!("a question and its answer"),
        }
    }

    /// The id of the open chat.
    pub fn chat(self) -> Id {
        self.chats.open_id_untracked()
    }

    /// The texts of the shown branch.
    pub fn texts(self) -> Vec<String> {
        self.chats.open.with_untracked(texts)
    }

    /// The texts that a reload would show of a chat.
    pub fn kept(self, chat: Id) -> Vec<String> {
        let kept = self.storage.with_log(|log| log.load(chat)).flatten();
        kept.as_ref().map(texts).unwrap_or_default()
    }

    /// The titles in the list of chats.
    pub fn titles(self) -> Vec<String> {
        self.chats
            .list
            .with_untracked(|all| all.iter().map(|chat| chat.title.clone()).collect())
    }

    /// The text of the toast.
    pub fn toast(self) -> Option<String> {
        let toast = self.notices.toast.get_untracked();
        toast.map(|toast| toast.text)
    }
}

fn texts(chat: &Chat) -> Vec<String> {
    let path = chat.path().into_iter();
    path.map(|message| message.content.clone()).collect()
}

/// Runs a test with an owner of its own, and with an executor on this thread for effects.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    // The executor is set once per process; later calls fail harmlessly.
    Executor::init_futures_executor().ok();
    let owner = Owner::new();
    owner.with(|| {
        let machine = Machine::default();
        let house = House::new(&machine);
        test(&machine, house);
    });
    owner.cleanup();
}

/// Runs a test with a second tab, opened when both have the chat "Hi" with its answer.
pub fn two_tabs(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        test(machine, house, &there, other);
    });
}

/// A frame with a piece of an answer.
pub fn text(text: &str) -> Result<Frame, Fault> {
    let text = text.to_owned();
    Ok(Frame::Text { text })
}

/// A complete answer of these words.
pub fn says(words: &[&str]) -> Vec<Result<Frame, Fault>> {
    let done = Frame::Done {
        reason: DoneReason::Stop,
        usage: Usage::default(),
    };
    let words = words.iter().map(|word| text(word));
    words.chain([Ok(done)]).collect()
}
