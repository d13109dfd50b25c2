//! The installed models: their list, loading, unloading, deletion, and the details of one.

mod memory;
mod sorting;
mod time;

pub use memory::{TimeLeft, gpu_percent};
pub use sorting::SortColumn;
use sorting::Sorting;
pub use time::parse_time;

use crate::{LoadRequest, ModelRequest, PullFrame};
use futures::future::{AbortHandle, join_all};
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::ModelId;
use sash_stores::edges::{Call, Frames};
use sash_stores::{
    Edges, Kernel, Newest, WriteTicket, assumed_context, is_found, same_model, uses,
};
use sash_wire::{
    EngineAction, Fault, ModelDetails, ModelInfo, NUM_CTX, SubPage, UpstreamRequest, short_name,
};
use sash_words::t;
use std::collections::BTreeMap;

/// The name of the page of models in its address.
pub const PAGE: &str = "models";
/// A shorter context is of no use, in tokens.
const LEAST_CONTEXT: u64 = 1024;

/// What is asked of the server about models.
#[derive(Clone, Copy)]
pub struct ModelCalls {
    /// The texts of a model.
    pub show: Call<ModelRequest, ModelDetails>,
    /// Loads a model.
    pub load: Call<LoadRequest, ()>,
    /// Unloads a model.
    pub unload: Call<ModelRequest, ()>,
    /// Deletes a model.
    pub delete: Call<ModelRequest, ()>,
    /// Pulls a model.
    pub pull: Call<ModelRequest, Frames<PullFrame>>,
}

/// What is being done with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelAction {
    /// It is being loaded.
    Load,
    /// It is being unloaded.
    Unload,
    /// It is being deleted.
    Delete,
}

impl ModelAction {
    /// The announcement when it is done.
    fn done_words(self, model: &ModelId) -> String {
        let name = short_name(&model.name);
        match self {
            Self::Load => t!(models.model_is_loaded, name = name),
            Self::Unload => t!(models.model_is_unloaded, name = name),
            Self::Delete => t!(models.model_is_deleted, name = name),
        }
    }
}

/// An action that runs.
#[derive(Clone, Debug)]
struct Job {
    action: ModelAction,
    abort: AbortHandle,
}

/// An action that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProblem {
    /// The model.
    pub model: ModelId,
    /// Why.
    pub fault: Fault,
}

/// The model whose details are shown, where this page is.
fn open_model(shown: &Option<SubPage>) -> Option<ModelId> {
    let page = shown.as_ref().filter(|page| page.name == PAGE)?;
    page.part.as_deref().map(ModelId::from)
}

/// The installed models.
#[derive(Clone, Copy)]
pub struct Models {
    edges: Edges,
    kernel: Kernel,
    calls: ModelCalls,
    /// All installed models, in Ollama's order; `None` before the first list. A list that was asked for before a model was
    /// deleted does not bring it back.
    pub installed: Newest<Option<Vec<ModelInfo>>>,
    /// Why the last request for the list failed. The former list is kept.
    pub list_fault: RwSignal<Option<Fault>>,
    /// The last action that failed.
    pub problem: RwSignal<Option<ModelProblem>>,
    /// The order of the list.
    pub sorting: RwSignal<Sorting>,
    /// The words that the list is searched for.
    pub search: RwSignal<String>,
    /// The model whose details are shown.
    pub open: Memo<Option<ModelId>>,
    /// The model that the person is asked about before it is deleted.
    pub doubtful: RwSignal<Option<ModelId>>,
    /// The time of the last tick, in milliseconds since 1970.
    pub now: RwSignal<u64>,
    /// The actions that run, at most one for each model.
    jobs: RwSignal<BTreeMap<ModelId, Job>>,
}

uses!(Models.kernel: view notices settings engine);

impl Models {
    /// Creates the store; nothing is asked before the page of models is shown.
    #[must_use]
    pub fn new(kernel: Kernel, calls: ModelCalls) -> Self {
        let (edges, view) = (kernel.edges(), kernel.view());
        Self {
            edges,
            kernel,
            calls,
            installed: Newest::new(None),
            list_fault: RwSignal::new(None),
            problem: RwSignal::new(None),
            sorting: RwSignal::new(Sorting::default()),
            search: RwSignal::new(String::new()),
            open: Memo::new(move |_| view.sub_page.with(open_model)),
            doubtful: RwSignal::new(None),
            now: RwSignal::new(0),
            jobs: RwSignal::new(BTreeMap::new()),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The page of models is shown: asks for the list. While it is shown, it calls [`Self::tick`] and
    /// [`Self::refresh_if_visible`].
    pub fn begin(self) {
        self.now.set(self.edges.now());
        self.refresh();
    }

    /// The page of models is left. What runs goes on.
    pub fn end(self) {
        self.doubtful.set(None);
        self.problem.set(None);
        self.search.set(String::new());
    }

    /// Counts down the time left of loaded models; asks again if one of them ran out, and every other second while one is
    /// being loaded.
    pub fn tick(self) {
        let (before, now) = (self.now.get_untracked(), self.edges.now());
        self.now.set(now);
        let is_loading = untrack(|| {
            let is_load = |job: &Job| job.action == ModelAction::Load;
            self.engine().is_any_loading() || self.jobs.with(|jobs| jobs.values().any(is_load))
        });
        if self.has_expired(before, now) {
            self.refresh_if_visible();
        } else if is_loading && (now / 1000).is_multiple_of(2) {
            self.engine().refresh();
        }
    }

    /// Asks again if the page is visible: another program may load and delete models too.
    pub fn refresh_if_visible(self) {
        if self.edges.with_page(|page| page.is_visible()) {
            self.refresh();
        }
    }

    /// Whether the time of a loaded model ran out between two ticks.
    fn has_expired(self, before: u64, now: u64) -> bool {
        self.engine().state.with_untracked(|state| {
            let loaded = state.iter().flat_map(|state| &state.loaded);
            let mut ends = loaded.filter_map(|model| parse_time(&model.expires_at));
            ends.any(|end| before < end && end <= now)
        })
    }

    /// Asks for the list and for what is loaded.
    pub fn refresh(self) {
        self.engine().refresh();
        self.edges.spawn(self.list(self.installed.begin()));
    }

    /// The models of all engines that can load and delete them; those of an engine that does not answer stay as they were.
    async fn list(self, ticket: WriteTicket<Option<Vec<ModelInfo>>>) {
        let upstream = self.engine().upstream();
        let engines = untrack(|| self.engine().all_that_can(EngineAction::Load));
        let asked = engines.iter().cloned().map(|engine| {
            let request = UpstreamRequest { upstream, engine };
            self.edges.transport().installed.send(request)
        });
        let lists = join_all(asked).await;
        if self.engine().upstream() != upstream || !ticket.is_current() {
            return;
        }
        let fault = lists.iter().find_map(|list| list.as_ref().err().cloned());
        let all_failed = lists.iter().all(Result::is_err);
        self.list_fault.set(fault);
        if all_failed {
            return;
        }
        let former = self.installed.get_untracked().unwrap_or_default();
        let models = engines.iter().zip(lists).flat_map(|(engine, list)| {
            let of_engine = former.iter().filter(|model| model.engine == *engine);
            list.map_or_else(|_| of_engine.cloned().collect(), |list| list.models)
        });
        let models = Some(models.collect::<Vec<_>>());
        if self.installed.with_untracked(|now| *now != models) {
            ticket.write(models);
        }
    }

    /// The models that the search shows, in the order of the list.
    #[must_use]
    pub fn rows(self) -> Vec<ModelInfo> {
        let search = self.search.get();
        let mut rows = self.installed.with(|all| {
            let all = all.iter().flatten();
            let found = all.filter(|model| is_found(model, &search));
            found.cloned().collect::<Vec<_>>()
        });
        self.sorting.get().sort(&mut rows);
        rows
    }

    /// What the list says of a model.
    #[must_use]
    pub fn info(self, model: &ModelId) -> Option<ModelInfo> {
        self.installed.with(|all| {
            let mut all = all.iter().flatten();
            all.find(|info| info.id() == *model).cloned()
        })
    }

    /// Sorts by a column; the column of the present order turns around.
    pub fn sort_by(self, column: SortColumn) {
        self.sorting
            .update(|sorting| *sorting = sorting.pressed(column));
    }

    /// What is being done with a model.
    #[must_use]
    pub fn action(self, model: &ModelId) -> Option<ModelAction> {
        self.jobs.with(|jobs| jobs.get(model).map(|job| job.action))
    }

    /// Loads a model, with the runner options of the prompts that follow: others would make Ollama load
    /// it again.
    pub fn load(self, model: &ModelId) {
        let request = LoadRequest {
            of: self.request(model),
            options: untrack(|| self.settings().runner_options(&model.key())),
        };
        self.run(model, ModelAction::Load, self.calls.load, request);
    }

    /// Unloads a model.
    pub fn unload(self, model: &ModelId) {
        let request = self.request(model);
        self.run(model, ModelAction::Unload, self.calls.unload, request);
    }

    /// Deletes a model. The page has asked before.
    pub fn delete(self, model: &ModelId) {
        self.doubtful.set(None);
        let request = self.request(model);
        self.run(model, ModelAction::Delete, self.calls.delete, request);
    }

    /// Ends the request of what is being done with a model. Ollama gives up the load of a model
    /// that nobody waits for; another engine is told to.
    pub fn cancel(self, model: &ModelId) {
        self.jobs.update(|jobs| {
            if let Some(job) = jobs.remove(model) {
                job.abort.abort();
            }
        });
        match untrack(|| self.engine().is_openai(model.engine.as_deref())) {
            true => self.unload(model),
            false => self.refresh(),
        }
    }

    fn request(self, model: &ModelId) -> ModelRequest {
        ModelRequest {
            model: model.name.clone(),
            upstream: self.engine().upstream(),
            engine: model.engine.clone(),
        }
    }

    fn run<Q>(self, model: &ModelId, action: ModelAction, call: Call<Q, ()>, request: Q) {
        if untrack(|| self.action(model)).is_some() {
            return;
        }
        let asked = call.send(request);
        // The problem of another model stays: unloading this one may be what helps that one.
        let is_own = |problem: &ModelProblem| problem.model == *model;
        if self
            .problem
            .with_untracked(|problem| problem.as_ref().is_some_and(is_own))
        {
            self.problem.set(None);
        }
        let model = model.clone();
        let (abort, registration) = AbortHandle::new_pair();
        let job = Job { action, abort };
        self.jobs.update(|jobs| _ = jobs.insert(model.clone(), job));
        let work = async move {
            let result = asked.await;
            self.jobs.update(|jobs| _ = jobs.remove(&model));
            match result {
                Ok(()) => self.record_done(&model, action),
                Err(fault) => {
                    self.engine().record_fault(&fault);
                    self.report(ModelProblem { model, fault });
                }
            }
            self.refresh();
        };
        self.edges.spawn_abortable(registration, work);
    }

    /// Says why an action failed: the page of models shows it, and where that is closed, a toast does.
    fn report(self, problem: ModelProblem) {
        let is_page = |page: &Option<SubPage>| page.as_ref().is_some_and(|page| page.name == PAGE);
        match self.view().sub_page.with_untracked(is_page) {
            true => self.notices().announce_now(problem.fault.to_string()),
            false => {
                let name = short_name(&problem.model.name);
                self.notices().show(format!("{name}: {}", problem.fault));
            }
        }
        self.problem.set(Some(problem));
    }

    fn record_done(self, model: &ModelId, action: ModelAction) {
        self.notices().announce(action.done_words(model));
        if action == ModelAction::Delete {
            self.engine().forget(model);
            // Ollama's next list says so too, but until it comes the row must not offer anything.
            self.installed.update(|all| {
                let is_it = |info: &ModelInfo| {
                    info.engine == model.engine && same_model(&info.name, &model.name)
                };
                all.iter_mut()
                    .for_each(|all| all.retain(|info| !is_it(info)));
            });
            if self
                .open
                .with_untracked(|open| open.as_ref() == Some(model))
            {
                self.show_all();
            }
        }
    }

    /// The other models that the engine of a model has in memory and can unload.
    #[must_use]
    pub fn loaded_beside(self, model: &ModelId) -> Vec<ModelId> {
        let of_engine = model.engine.as_deref();
        if !self.engine().can(EngineAction::Load, of_engine) {
            return Vec::new();
        }
        let loaded = self.engine().loaded().into_iter().map(|(other, _)| other);
        let is_other =
            |other: &ModelId| other.engine == model.engine && !same_model(&other.name, &model.name);
        loaded.filter(is_other).collect()
    }

    /// Half of the context length that a model gets, in tokens, where its engine takes one and enough is left.
    #[must_use]
    pub fn smaller_context(self, model: &ModelId) -> Option<u64> {
        let half = assumed_context(self.settings(), self.engine(), model) / 2;
        let is_taken = self.engine().accepts(model.engine.as_deref(), NUM_CTX);
        (is_taken && half >= LEAST_CONTEXT).then_some(half)
    }

    /// Shows the details of a model.
    pub fn show(self, model: &ModelId) {
        self.view().sub_page.set(Some(SubPage {
            name: PAGE,
            part: Some(model.key().into_owned()),
        }));
    }

    /// Shows the page of models.
    pub fn show_all(self) {
        self.view().sub_page.set(Some(SubPage::whole(PAGE)));
    }

    /// The texts of a model.
    ///
    /// # Errors
    /// Why they cannot be had.
    pub async fn details(self, model: ModelId) -> Result<ModelDetails, Fault> {
        let request = self.request(&model);
        let asked = self.calls.show.send(request);
        let details = asked.await;
        if let Err(fault) = &details {
            self.engine().record_fault(fault);
            if matches!(fault, Fault::ModelNotFound { .. }) {
                self.refresh();
            }
        }
        details
    }
}
