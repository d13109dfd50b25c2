//! The page's stores over edges in memory: a clock that tests turn, a server that says what it was told to.

#![allow(dead_code, reason = "each test file uses what it needs")]

use any_spawner::Executor;
use futures::future::{LocalBoxFuture, ready};
use futures::{FutureExt, StreamExt, stream};
use reactive_graph::owner::Owner;
use sash_chat::Id;
use sash_log::{Log, MemoryStore, Store};
use sash_state::edges::{Clock, Frames, HeldLock, Ids, Locks, Page, Transport};
use sash_state::*;
use sash_wire::{
    ChatRequest, Fault, Frame, ModelInfo, ModelList, OllamaState, PullFrame, PullRequest,
    UpstreamRequest,
};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// What happens later, by the time it is due in milliseconds.
type Timers = Rc<RefCell<Vec<(f64, Box<dyn FnOnce()>)>>>;

/// The machine that the stores run on.
#[derive(Clone, Default)]
pub struct Machine {
    now: Rc<Cell<f64>>,
    timers: Timers,
    ids: Rc<Cell<u64>>,
    /// What the page was asked to bring into focus.
    pub focused: Rc<RefCell<Vec<String>>>,
    /// What the server was asked.
    pub requests: Rc<RefCell<Vec<ChatRequest>>>,
    /// What the server answers, one list of frames a request; without one it stays silent.
    pub answers: Rc<RefCell<VecDeque<Frames<Frame>>>>,
}

impl Clock for Machine {
    fn now(&self) -> u64 {
        1_800_000_000_000 + self.now.get() as u64
    }
    fn monotonic(&self) -> f64 {
        self.now.get()
    }
    fn utc_offset(&self) -> i64 {
        0
    }
    fn after(&self, wait: Duration, run: Box<dyn FnOnce()>) {
        let due = self.now.get() + wait.as_secs_f64() * 1000.0;
        self.timers.borrow_mut().push((due, run));
    }
    fn next_frame(&self, run: Box<dyn FnOnce()>) {
        self.after(Duration::from_millis(16), run);
    }
}

impl Ids for Machine {
    fn new_id(&self) -> Id {
        self.ids.set(self.ids.get() + 1);
        Id(self.ids.get())
    }
}

impl Locks for Machine {
    fn exist(&self) -> bool {
        false
    }
    fn hold(&self, _name: &str, _taken: Box<dyn FnOnce()>) -> HeldLock {
        Box::new(())
    }
    fn is_held(&self, _name: String) -> LocalBoxFuture<'static, bool> {
        ready(false).boxed_local()
    }
    fn freed(&self, _name: String) -> LocalBoxFuture<'static, ()> {
        ready(()).boxed_local()
    }
    fn take_over(&self, _name: String) -> LocalBoxFuture<'static, ()> {
        ready(()).boxed_local()
    }
}

impl Page for Machine {
    fn focus(&self, id: &str) {
        self.focused.borrow_mut().push(id.to_owned());
    }
    fn focus_soon(&self, id: &str) {
        self.focus(id);
    }
    fn is_in_sight(&self) -> bool {
        true
    }
    fn storage_percent(&self) -> usize {
        7
    }
}

impl Transport for Machine {
    fn state(&self, _: UpstreamRequest) -> LocalBoxFuture<'static, Result<OllamaState, Fault>> {
        let state = OllamaState {
            reachable: true,
            ..OllamaState::default()
        };
        ready(Ok(state)).boxed_local()
    }
    fn models(&self, _: UpstreamRequest) -> LocalBoxFuture<'static, Result<ModelList, Fault>> {
        let models = vec![ModelInfo {
            name: "tiny:latest".to_owned(),
            ..ModelInfo::default()
        }];
        ready(Ok(ModelList { models })).boxed_local()
    }
    fn respond(
        &self,
        request: ChatRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<Frame>, Fault>> {
        self.requests.borrow_mut().push(request);
        let frames: Frames<Frame> = match self.answers.borrow_mut().pop_front() {
            Some(frames) => frames,
            None => stream::pending().boxed_local(),
        };
        ready(Ok(frames)).boxed_local()
    }
    fn pull(&self, _: PullRequest) -> LocalBoxFuture<'static, Result<Frames<PullFrame>, Fault>> {
        ready(Err(Fault::ConnectionLost)).boxed_local()
    }
}

impl Machine {
    /// The next answer is these frames, and then the stream stays open.
    pub fn hold_open(&self, frames: Vec<Result<Frame, Fault>>) {
        let frames = stream::iter(frames).chain(stream::pending());
        self.answers.borrow_mut().push_back(frames.boxed_local());
    }

    /// The next answer is these frames, and then the stream ends.
    pub fn answer(&self, frames: Vec<Result<Frame, Fault>>) {
        self.answers
            .borrow_mut()
            .push_back(stream::iter(frames).boxed_local());
    }

    /// Lets time pass: timers that are due run in their order, and tasks after each.
    pub fn pass(&self, millis: f64) {
        let until = self.now.get() + millis;
        settle();
        loop {
            let next = {
                let mut timers = self.timers.borrow_mut();
                let due = timers
                    .iter()
                    .enumerate()
                    .filter(|(_, (at, _))| *at <= until);
                let first = due
                    .min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))
                    .map(|(i, _)| i);
                first.map(|i| timers.remove(i))
            };
            let Some((at, run)) = next else { break };
            self.now.set(at.max(self.now.get()));
            run();
            settle();
        }
        self.now.set(until);
    }
}

/// Runs tasks and effects until nothing is left to do.
pub fn settle() {
    for _ in 0..100 {
        Executor::poll_local();
    }
}

/// All stores over one machine.
#[derive(Clone, Copy)]
pub struct House {
    pub edges: Edges,
    pub view: View,
    pub notices: Notices,
    pub storage: Storage,
    pub settings: SettingsStore,
    pub engine: Engine,
    pub chats: Chats,
    pub drafts: Drafts,
    pub steering: Steering,
    pub answers: Answers,
    pub tabs: Tabs,
    pub what_if: WhatIf,
    pub mentions: Mentions,
}

impl House {
    /// The stores over a log; Ollama was looked for once, and has one model.
    pub fn new(machine: &Machine, store: MemoryStore) -> Self {
        let edges = Edges::new(
            machine.clone(),
            machine.clone(),
            machine.clone(),
            machine.clone(),
            machine.clone(),
        );
        let store: Box<dyn Store> = Box::new(store);
        let log = Log::open(store, Id(900)).unwrap_or_else(|_| panic!("the log is ours"));
        let (view, notices, history) = (View::new(false), Notices::new(edges), History::default());
        let storage = Storage::new(edges, log, StorageState::default());
        let settings = SettingsStore::new(storage);
        let engine = Engine::new(edges, settings, notices);
        let chats = Chats::new(edges, view, notices, history, storage, settings, None);
        let drafts = Drafts::new(edges, history, storage, chats);
        let steering = Steering::new(notices, history, storage, settings, engine, chats, drafts);
        let remote = RemoteAnswers::new(edges, storage, chats);
        let answers = Answers::new(edges, steering, remote);
        let house = Self {
            edges,
            view,
            notices,
            storage,
            settings,
            engine,
            chats,
            drafts,
            steering,
            answers,
            tabs: Tabs::new(answers, remote),
            what_if: WhatIf::new(edges, chats, steering, answers),
            mentions: Mentions::new(edges, steering, answers),
        };
        engine.look();
        settle();
        house
    }
}

/// Runs a test of stores with an owner of its own, and an executor on this thread for its effects.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    // Once a process: the others find it there.
    Executor::init_futures_executor().ok();
    let owner = Owner::new();
    owner.with(|| {
        let machine = Machine::default();
        let house = House::new(&machine, MemoryStore::default());
        test(&machine, house);
    });
    owner.cleanup();
}

/// An answer of these words that came to its end.
pub fn says(words: &[&str]) -> Vec<Result<Frame, Fault>> {
    let text = words.iter().map(|text| {
        Ok(Frame::Text {
            text: (*text).to_owned(),
        })
    });
    let done = Frame::Done {
        reason: sash_wire::DoneReason::Stop,
        usage: sash_wire::Usage::default(),
    };
    text.chain([Ok(done)]).collect()
}
