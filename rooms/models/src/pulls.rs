//! Pulling models: several at once, stopped and resumed, and taken up again after a reload.

mod pull_state;
mod rate;

pub use pull_state::{PullPhase, PullState};
pub use rate::PullRate;

use crate::{ModelFault, ModelRequest, PullFrame};
use futures::StreamExt;
use futures::future::AbortHandle;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, ModelId};
use sash_stores::edges::{Call, Frames};
use sash_stores::hooks::Events;
use sash_stores::{Edges, Kernel, next_model, uses};
use sash_wire::{EngineAction, Fault, ModelName, short_name};
use sash_words::t;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many pulls run at once; the server takes no more.
const PULLS_AT_ONCE: usize = 3;
/// When a pull asks again that found the server busy with pulls of other tabs.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// A pull that a reload takes up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedPull {
    /// The name of the model.
    pub model: String,
    /// Whether it was stopped, by the person or by a fault: it is listed and does not run.
    pub stopped: bool,
    /// The fault that stopped it.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Whether a chat takes the model once it is installed.
    pub choose: bool,
    /// That chat; without it, the one that is open after the reload.
    #[serde(default)]
    pub chat: Option<Id>,
    /// The engine that it goes into, by its name in requests; `None` for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// The active pulls together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullsProgress {
    /// The model of the first one.
    pub first: String,
    /// How many there are.
    pub count: usize,
    /// How much of what is known of them has come; `None` while nothing is known.
    pub percent: Option<u64>,
}

/// Pulling models.
#[derive(Clone, Copy)]
pub struct Pulls {
    edges: Edges,
    kernel: Kernel,
    pull: Call<ModelRequest, Frames<PullFrame>>,
    /// The pulls that are not complete, in the order in which they were asked for.
    pub all: RwSignal<Vec<PullState>>,
    /// The model that was asked for last.
    latest: RwSignal<Option<ModelId>>,
    /// The engine that the person chose for the next pull, where several can pull; `None` without a choice.
    pub chosen: RwSignal<Option<Option<String>>>,
    /// Pulls that are complete.
    pub completed: Events<()>,
    /// Whether the pull dialog is open.
    pub asked: RwSignal<bool>,
}

uses!(Pulls.kernel: notices engine chats);

impl Pulls {
    /// Creates the store without a pull.
    #[must_use]
    pub fn new(kernel: Kernel, pull: Call<ModelRequest, Frames<PullFrame>>) -> Self {
        let edges = kernel.edges();
        Self {
            edges,
            kernel,
            pull,
            all: RwSignal::new(Vec::new()),
            latest: RwSignal::new(None),
            chosen: RwSignal::new(None),
            completed: Events::default(),
            asked: RwSignal::new(false),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Pulls a model, or resumes its pull. A chat takes it once it is installed.
    ///
    /// # Errors
    /// [`Fault::InvalidModelName`]; then nothing is sent.
    pub fn start(self, model: ModelId, chat: Option<Id>) -> Result<(), Fault> {
        // Names of other engines have no grammar.
        if !untrack(|| self.engine().is_openai(model.engine.as_deref())) {
            ModelName::parse(&model.name)?;
        }
        self.begin(model, chat);
        Ok(())
    }

    /// The engine that the next pull goes into, by its name in requests: the one that the person chose, else the first that
    /// can pull.
    pub fn target(self) -> Option<String> {
        let able = self.engine().all_that_can(EngineAction::Pull);
        let chosen = self.chosen.get().filter(|chosen| able.contains(chosen));
        chosen.or_else(|| able.into_iter().next()).flatten()
    }

    /// The model of this name in the engine that the next pull goes into.
    #[must_use]
    pub fn named(self, name: &str) -> ModelId {
        ModelId::new(untrack(|| self.target()).as_deref(), name)
    }

    /// Resumes a pull of the list, into its own engine.
    pub fn resume(self, model: &ModelId) {
        self.begin(model.clone(), None);
    }

    fn begin(self, model: ModelId, chat: Option<Id>) {
        self.latest.set(Some(model.clone()));
        let name = model.name.clone();
        self.all.update(
            |all| match all.iter_mut().find(|pull| pull.model == model) {
                Some(known) => {
                    known.chat = chat.or(known.chat);
                    if !known.is_active() {
                        known.phase = PullPhase::Waiting;
                    }
                }
                None => all.push(PullState::new(model, PullPhase::Waiting, chat)),
            },
        );
        self.notices().announce(t!(models.pulling, model = &name));
        self.run_waiting();
    }

    /// Takes up the pulls of before a reload, as soon as Ollama answers.
    pub fn restore(self, remembered: Vec<RememberedPull>) {
        if remembered.is_empty() {
            return;
        }
        let open = self.chats().open_id_untracked();
        let pulls = remembered.into_iter().map(|pull| {
            let fault = pull.fault.map(Fault::told_by::<ModelFault>);
            let phase = match (pull.stopped, fault) {
                (true, Some(fault)) => PullPhase::Failed(fault),
                (true, None) => PullPhase::Stopped,
                (false, _) => PullPhase::Waiting,
            };
            let model = ModelId::new(pull.engine.as_deref(), &pull.model);
            let chat = pull.choose.then(|| pull.chat.unwrap_or(open));
            PullState::new(model, phase, chat)
        });
        self.all.set(pulls.collect());
        let active = self.all.with_untracked(|all| {
            let mut active = all.iter().filter(|pull| pull.is_active());
            active.next_back().map(|pull| pull.model.clone())
        });
        self.latest.set(active);
        // Sends requests.
        Effect::new(move || {
            if self.engine().is_reachable() {
                untrack(|| self.run_waiting());
            }
        });
    }

    /// What a reload has to take up again.
    #[must_use]
    pub fn remembered(self) -> Vec<RememberedPull> {
        self.all.with(|all| {
            let pulls = all.iter().map(|pull| RememberedPull {
                model: pull.model.name.clone(),
                fault: pull.fault().filter(|_| !pull.is_lost()).cloned(),
                stopped: !pull.is_active() && !pull.is_lost(),
                choose: pull.chat.is_some(),
                chat: pull.chat,
                engine: pull.model.engine.clone(),
            });
            pulls.collect()
        })
    }

    /// One pull, read by `f`; the default if there is none of this model.
    pub fn with<T: Default>(self, model: &ModelId, f: impl FnOnce(&PullState) -> T) -> T {
        self.all.with(|all| {
            let pull = all.iter().find(|pull| pull.model == *model);
            pull.map(f).unwrap_or_default()
        })
    }

    /// The model that was asked for last, if its pull is active.
    #[must_use]
    pub fn latest_active(self) -> Option<ModelId> {
        let latest = self.latest.get()?;
        self.with(&latest, PullState::is_active).then_some(latest)
    }

    /// The active pulls together: the first one's name, how many there are, and how much of what is known of them has
    /// come, in percent. `None` if there is none.
    #[must_use]
    pub fn progress(self) -> Option<PullsProgress> {
        self.all.with(|all| {
            let active = || all.iter().filter(|pull| pull.is_active());
            let first = active().next()?.model.name.clone();
            let (done, whole) = active()
                .map(PullState::whole)
                .fold((0, 0), |sum, pull| (sum.0 + pull.0, sum.1 + pull.1));
            Some(PullsProgress {
                first,
                count: active().count(),
                percent: (done * 100).checked_div(whole),
            })
        })
    }

    /// Why the pull failed that was asked for last.
    #[must_use]
    pub fn latest_fault(self) -> Option<Fault> {
        self.with(&self.latest.get()?, |pull| pull.fault().cloned())
    }

    /// Stops a pull. Ollama keeps the downloaded parts and resumes from them.
    pub fn stop(self, model: &ModelId) {
        self.change(model, |pull| pull.end(PullPhase::Stopped));
        self.notices().announce(t!(models.pull_stopped).to_owned());
        self.run_waiting();
    }

    /// Stops a pull and takes it from the list.
    pub fn remove(self, model: &ModelId) {
        self.change(model, |pull| pull.end(PullPhase::Stopped));
        self.all
            .update(|all| all.retain(|pull| pull.model != *model));
        self.run_waiting();
    }

    /// Starts pulls that wait, as far as more may run.
    fn run_waiting(self) {
        loop {
            let next = self.all.with_untracked(|all| {
                let running = all.iter().filter(|p| p.phase == PullPhase::Running);
                if running.count() >= PULLS_AT_ONCE {
                    return None;
                }
                let next = all.iter().find(|p| p.phase == PullPhase::Waiting);
                next.map(|pull| pull.model.clone())
            });
            match next {
                Some(model) => self.run(model),
                None => return,
            }
        }
    }

    fn run(self, model: ModelId) {
        let (abort, registration) = AbortHandle::new_pair();
        self.change(&model, |pull| pull.begin(abort));
        let engine = untrack(|| {
            let engine = model.engine.clone();
            // The server's configuration may have changed since a pull was remembered.
            match self.engine().can(EngineAction::Pull, engine.as_deref()) {
                true => engine,
                false => self.engine().first_that_can(EngineAction::Pull).flatten(),
            }
        });
        let work = async move {
            match self.receive(&model, engine.clone()).await {
                Ok(()) => self.complete(&model, engine).await,
                Err(Fault::TooManyAnswers { .. }) => {
                    self.edges.after(BUSY_WAIT, move || self.run_waiting());
                    // Set after the timer, so that no other pull begins at once and is refused too.
                    self.change(&model, |pull| pull.phase = PullPhase::Waiting);
                    return;
                }
                Err(fault) => {
                    self.notices().announce_now(fault.to_string());
                    self.engine().record_fault(&fault);
                    self.change(&model, |pull| pull.phase = PullPhase::Failed(fault));
                }
            }
            self.run_waiting();
        };
        self.edges.spawn_abortable(registration, work);
    }

    async fn receive(self, model: &ModelId, engine: Option<String>) -> Result<(), Fault> {
        let request = ModelRequest {
            model: model.name.clone(),
            upstream: self.engine().upstream(),
            engine,
        };
        let mut frames = self.pull.send(request).await?;
        while let Some(frame) = frames.next().await {
            match frame? {
                PullFrame::Done => return Ok(()),
                PullFrame::Error { error } => return Err(error),
                frame => {
                    let now = self.edges.monotonic();
                    self.change(model, |pull| pull.add_frame(frame, now));
                }
            }
        }
        Err(Fault::ConnectionLost)
    }

    async fn complete(self, model: &ModelId, engine: Option<String>) {
        let open = self.chats().open_id_untracked();
        let chat = untrack(|| self.with(model, |pull| pull.chat));
        if chat != Some(open) {
            self.keep_model();
        }
        self.all
            .update(|all| all.retain(|pull| pull.model != *model));
        let words = t!(models.pulled, model = short_name(&model.name));
        self.notices().announce(words.clone());
        match chat {
            Some(_) => self.asked.set(false),
            None => self.notices().show(words),
        }
        self.completed.emit(&());
        self.engine().list_again(engine.clone()).await;
        if let Some(chat) = chat {
            let model = self.listed_model(engine, &model.name);
            self.chats().choose_model_of(chat, model);
        }
    }

    /// Makes the model of the open chat its choice. A chat without one takes the newest model, which
    /// is about to be another.
    fn keep_model(self) {
        let open = self.chats().open;
        let is_chosen = open.with_untracked(|chat| chat.head.model.is_some());
        if let Some(model) = untrack(|| next_model(self.chats(), self.engine()))
            && !is_chosen
        {
            self.chats().choose_model(model);
        }
    }

    fn change(self, model: &ModelId, change: impl FnOnce(&mut PullState)) {
        self.all.update(|all| {
            if let Some(pull) = all.iter_mut().find(|pull| pull.model == *model) {
                change(pull);
            }
        });
    }

    /// A pulled model under the name with which it is listed, tag included.
    fn listed_model(self, engine: Option<String>, model: &str) -> ModelId {
        let full = ModelId {
            engine,
            name: format!("{model}:latest"),
        };
        let models = self.engine().models;
        match models.with_untracked(|models| models.iter().any(|known| known.is(&full))) {
            true => full,
            false => ModelId {
                name: model.to_owned(),
                ..full
            },
        }
    }
}
