//! The engines: whether they answer, and the models that they have. The page checks again by itself: every two
//! seconds in the first minute that one of them is unreachable or that there is no model, then up to every half minute,
//! and when the page becomes visible. While nothing can be asked at all and the page is visible, it never waits for more than five
//! seconds.

mod choice;
mod known;
mod unsent;

pub use choice::{is_found, models_to_choose};

use crate::edges::Edges;
use crate::notices::Notices;
use crate::settings::{SettingsStore, SettingsStoreFields};
use crate::ticket::{Ticket, Tickets, TicketsOf};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::ModelId;
use sash_wire::{EngineInfo, EngineState, Fault, ModelInfo, Upstream, UpstreamRequest};
use sash_words::t;
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The longest wait while the person sees that nothing can be asked: who installs Ollama, or downloads a model by its command,
/// needs more than the first minute.
const LONGEST_SEEN_WAIT: Duration = Duration::from_secs(5);
/// How long the page checks every two seconds after an engine became unreachable, in milliseconds.
const OFTEN_MS: f64 = 60_000.0;

/// The engines that answer: their states and their models. The first engine of the server's configuration is the one
/// without a name in requests, settings and records.
#[derive(Clone, Copy)]
pub struct EngineStore {
    edges: Edges,
    settings: SettingsStore,
    notices: Notices,
    /// The last state received of the first engine; `None` before the first one.
    pub state: Memo<Option<EngineState>>,
    /// The engines of the server's configuration, in its order; empty before the first state.
    pub engines: RwSignal<Vec<EngineInfo>>,
    /// What is known of each engine, in the order of the configuration: always of the first one.
    known: RwSignal<Vec<KnownEngine>>,
    /// The models that can answer: those of the first engine, newest first, then those of the others. The models of an engine
    /// that is the only one stay listed while it is away.
    pub models: Memo<Vec<ModelInfo>>,
    /// Whether the Sash server itself does not answer.
    pub server_gone: RwSignal<bool>,
    /// Whether the draft came with an address, and the person has not made it their own: no engine gets it.
    pub(crate) withholds_draft: RwSignal<bool>,
    /// Whether Sash asks for a token.
    pub needs_token: RwSignal<bool>,
    /// Why the token that the person gave last was refused.
    pub token_fault: RwSignal<Option<Fault>>,
    /// The context length of each model when it was last loaded.
    contexts: RwSignal<Vec<(ModelId, u64)>>,
    /// The models that refused an image since the page was opened, although their engine did not say that they see none.
    blind: RwSignal<Vec<ModelId>>,
    /// Whether a check that the person asked for is running.
    pub polling: RwSignal<bool>,
    wait: StoredValue<Duration>,
    /// When an engine became unreachable, on the monotonic clock in milliseconds.
    away: StoredValue<Option<f64>>,
    /// The checks: only the newest is heard, and schedules the next one.
    polls: Tickets,
    /// The requests for the list of models of each engine, by its name: a list that was asked for before a model was
    /// deleted would bring it back.
    listings: TicketsOf<Option<String>>,
    /// The other engines whose state is being asked for.
    pending: StoredValue<Vec<String>>,
    /// The choices of the upstream: what was asked of the engines before the last one is not heard.
    upstreams: Tickets,
}

/// What is known of an engine.
#[derive(Clone, Default, PartialEq)]
struct KnownEngine {
    /// Its name; none for the first one.
    name: Option<String>,
    /// Its last state; `None` before the first one.
    state: Option<EngineState>,
    /// Its models, as they were listed last.
    models: Vec<ModelInfo>,
    /// Whether they were listed since it was last unreachable.
    is_listed: bool,
}

impl KnownEngine {
    fn is_reachable(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.reachable)
    }

    fn is_away(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.reachable)
    }

    fn record_list(&mut self, models: Option<Vec<ModelInfo>>) {
        if let Some(models) = models {
            self.models = models;
            self.is_listed = true;
        }
    }
}

impl EngineStore {
    /// Creates the store; nothing is known of the engines yet.
    #[must_use]
    pub fn new(edges: Edges, settings: SettingsStore, notices: Notices) -> Self {
        let known = RwSignal::new(vec![KnownEngine::default()]);
        let models = Memo::new(move |_| {
            known.with(|all| {
                let is_only = all.len() == 1;
                let listed = all.iter().filter(|engine| is_only || !engine.is_away());
                let models = listed.flat_map(|engine| engine.models.iter().cloned());
                models.collect()
            })
        });
        let store = Self {
            edges,
            settings,
            notices,
            state: Memo::new(move |_| known.with(|all| all.first()?.state.clone())),
            engines: RwSignal::new(Vec::new()),
            known,
            models,
            server_gone: RwSignal::new(false),
            withholds_draft: RwSignal::new(false),
            needs_token: RwSignal::new(false),
            token_fault: RwSignal::new(None),
            contexts: RwSignal::new(Vec::new()),
            blind: RwSignal::new(Vec::new()),
            polling: RwSignal::new(false),
            wait: StoredValue::new(FIRST_WAIT),
            away: StoredValue::new(None),
            polls: Tickets::new(),
            listings: TicketsOf::new(),
            pending: StoredValue::new(Vec::new()),
            upstreams: Tickets::new(),
        };
        // Sends requests.
        Effect::new(move |former: Option<Upstream>| {
            let now = settings.current.upstream().get();
            // The choice may have been made in another tab.
            if former.is_some_and(|former| former != now) {
                untrack(|| store.follow_upstream());
            }
            now
        });
        store.refresh();
        store
    }

    /// Updates the engine's state from the fault of a prompt.
    pub fn record_fault(self, fault: &Fault) {
        match fault {
            Fault::OllamaUnreachable { .. }
            | Fault::OllamaLost
            | Fault::EngineUnreachable { .. }
            | Fault::EngineLost { .. }
            | Fault::EngineModelNotFound { .. }
            | Fault::UnknownEngine { .. }
            | Fault::ConnectionLost
            | Fault::BrokenStream { .. } => self.refresh(),
            Fault::ModelNotFound { .. } => self.change(None, |first| first.is_listed = false),
            Fault::Unauthorized => self.needs_token.set(true),
            Fault::OpenedTwice => self.ask_for_token(Some(fault.clone())),
            _ => {}
        }
    }
}

/// Whether two names mean the same model: a missing tag means `latest`.
pub fn same_model(a: &str, b: &str) -> bool {
    let bare = |name: &str| {
        name.strip_suffix(":latest")
            .unwrap_or(name)
            .to_ascii_lowercase()
    };
    bare(a) == bare(b)
}

impl EngineStore {
    /// Changes what is known of an engine, and wakes who reads it if that is another one.
    fn change(self, engine: Option<&str>, change: impl FnOnce(&mut KnownEngine)) {
        self.known.maybe_update(|all| {
            let mut all = all.iter_mut();
            let Some(known) = all.find(|known| known.name.as_deref() == engine) else {
                return false;
            };
            let former = known.clone();
            change(known);
            *known != former
        });
    }

    /// Checks for the engines now and schedules the next check.
    pub fn refresh(self) {
        let poll = self.polls.begin();
        self.edges.spawn(async move {
            self.poll_once(poll).await;
            // With a wrong token, each check would count as a failed attempt.
            if !poll.is_current() || self.needs_token.get_untracked() {
                return;
            }
            let wait = self.next_wait();
            self.edges.after(wait, move || {
                if poll.is_current() {
                    self.refresh();
                }
            });
        });
    }

    /// Asks the person for the token; with what was wrong with the one that was given, or with the address.
    fn ask_for_token(self, fault: Option<Fault>) {
        self.needs_token.set(true);
        if fault.is_some() {
            self.token_fault.set(fault);
        }
    }

    /// Checks because the person asked, and announces the result.
    pub fn poll_now(self) {
        self.polling.set(true);
        self.refresh();
    }

    fn next_wait(self) -> Duration {
        let has_any_model = untrack(|| self.has_any_model());
        if has_any_model && untrack(|| self.all_reachable()) {
            self.wait.set_value(FIRST_WAIT);
            self.away.set_value(None);
            return LONGEST_WAIT;
        }
        let now = self.edges.monotonic();
        let since = self.away.get_value().unwrap_or(now);
        self.away.set_value(Some(since));
        let is_visible = self.edges.with_page(|page| page.is_visible());
        // The person is probably starting Ollama just now and watching the page.
        if is_visible && now - since < OFTEN_MS {
            return FIRST_WAIT;
        }
        let longest = match is_visible && !has_any_model {
            true => LONGEST_SEEN_WAIT,
            false => LONGEST_WAIT,
        };
        let wait = self.wait.get_value().min(longest);
        self.wait.set_value((wait * 2).min(LONGEST_WAIT));
        wait
    }

    async fn poll_once(self, poll: Ticket) {
        let upstream = self.upstream();
        for name in self.names_of_others() {
            self.poll_engine(upstream, name);
        }
        let engine = None;
        let found = self
            .edges
            .transport()
            .state
            .send(UpstreamRequest { upstream, engine })
            .await;
        if !poll.is_current() {
            return;
        }
        let was_asked = self.polling.get_untracked();
        self.polling.set(false);
        match found {
            Ok(state) => {
                let reachable = state.reachable;
                if was_asked && !reachable {
                    let title = untrack(|| self.title(None));
                    self.notices
                        .announce(t!(state.engine_still_not_reachable, title = &title));
                }
                untrack(|| self.record_contexts(None, &state));
                self.server_gone.set(false);
                self.needs_token.set(false);
                self.token_fault.set(None);
                self.record_engines(upstream, &state.engines);
                self.change(None, |first| {
                    first.state = Some(state);
                    first.is_listed &= reachable;
                });
                if reachable {
                    let engine = None;
                    self.list(UpstreamRequest { upstream, engine }).await;
                }
            }
            Err(fault) => match fault {
                Fault::OpenedTwice => self.ask_for_token(Some(fault)),
                Fault::Unauthorized | Fault::TooManyAttempts => {
                    self.ask_for_token(was_asked.then_some(fault));
                }
                _ => {
                    self.server_gone.set(true);
                    self.change(None, |first| {
                        first.state = None;
                        first.is_listed = false;
                    });
                }
            },
        }
    }

    /// Follows the server's configuration; engines that are new to the page are asked for at once.
    fn record_engines(self, upstream: Upstream, engines: &[EngineInfo]) {
        if upstream == Upstream::Configured {
            self.settings.bind_draft_engines(engines);
        }
        if self.engines.with_untracked(|known| known == engines) {
            return;
        }
        self.engines.set(engines.to_vec());
        let former = self.known.get_untracked();
        let others = engines
            .iter()
            .skip(1)
            .map(|engine| Some(engine.name.clone()));
        let known = std::iter::once(None).chain(others).map(|name| {
            let known = former.iter().find(|known| known.name == name);
            known.cloned().unwrap_or_else(|| KnownEngine {
                name,
                ..KnownEngine::default()
            })
        });
        self.known.set(known.collect());
        for name in self.names_of_others() {
            if !former
                .iter()
                .any(|known| known.name.as_ref() == Some(&name))
            {
                self.poll_engine(upstream, name);
            }
        }
    }

    /// Follows what the server learns of an engine when it asks it: what it can do, and how it is reached.
    fn record_info(self, name: &str, state: &EngineState) {
        let mut infos = state.engines.iter();
        let Some(now) = infos.find(|info| info.name == name) else {
            return;
        };
        let is_news = |info: &EngineInfo| info.name == name && info != now;
        if self.engines.with_untracked(|all| all.iter().any(is_news)) {
            self.engines.update(|all| {
                let known = all.iter_mut().filter(|info| info.name == name);
                known.for_each(|info| info.clone_from(now));
            });
        }
    }

    fn names_of_others(self) -> Vec<String> {
        let names =
            |all: &Vec<KnownEngine>| all.iter().filter_map(|known| known.name.clone()).collect();
        self.known.with_untracked(names)
    }

    /// Asks for the state and the models of another engine, unless that is being done. A slow engine holds up nothing
    /// but its own models.
    fn poll_engine(self, upstream: Upstream, name: String) {
        if self.pending.with_value(|pending| pending.contains(&name)) {
            return;
        }
        self.pending
            .update_value(|pending| pending.push(name.clone()));
        let choice = self.upstreams.newest();
        self.edges.spawn(async move {
            let request = UpstreamRequest {
                upstream,
                engine: Some(name.clone()),
            };
            let state = self.edges.transport().state.send(request.clone());
            let state = state.await;
            let models = match &state {
                Ok(state) if state.reachable => self.fetch_list(request).await,
                _ => None,
            };
            if !choice.is_current() {
                return;
            }
            self.pending
                .update_value(|pending| pending.retain(|other| *other != name));
            if let (Ok(state), true) = (state, self.upstream() == upstream) {
                untrack(|| self.record_contexts(Some(&name), &state));
                self.record_info(&name, &state);
                self.change(Some(&name), |known| {
                    known.is_listed &= state.reachable;
                    known.state = Some(state);
                    known.record_list(models);
                });
            }
        });
    }

    /// Fetches the list of models of an engine; `None` where it does not come, or something else is wanted by then. An
    /// engine that answers but is too busy for its list keeps the one that is known.
    async fn fetch_list(self, request: UpstreamRequest) -> Option<Vec<ModelInfo>> {
        let upstream = request.upstream;
        let ticket = self.listings.begin(request.engine.clone());
        let list = self.edges.transport().models.send(request).await.ok()?;
        (ticket.is_current() && self.upstream() == upstream).then_some(list.models)
    }

    async fn list(self, request: UpstreamRequest) {
        let engine = request.engine.clone();
        let models = self.fetch_list(request).await;
        self.change(engine.as_deref(), |known| known.record_list(models));
    }

    /// Fetches the list of models of an engine that has changed.
    pub async fn list_again(self, engine: Option<String>) {
        let upstream = self.upstream();
        self.list(UpstreamRequest { upstream, engine }).await;
    }

    /// Takes a deleted model out of the lists. Those that were asked for before bring it back no more.
    pub fn forget(self, model: &ModelId) {
        self.listings.cancel(model.engine.clone());
        self.change(model.engine.as_deref(), |known| {
            known
                .models
                .retain(|info| !same_model(&info.name, &model.name));
        });
    }

    /// Whether the configured engines answer, or the demo.
    pub fn upstream(self) -> Upstream {
        self.settings.current.upstream().get_untracked()
    }

    /// Switches to the demo, or back to the configured engines.
    pub fn use_upstream(self, upstream: Upstream) {
        self.settings
            .change(|settings| settings.upstream = upstream);
    }

    /// Forgets the state of the previous engines and checks those in the settings.
    fn follow_upstream(self) {
        self.upstreams.cancel();
        self.pending.set_value(Vec::new());
        self.engines.set(Vec::new());
        self.known.set(vec![KnownEngine::default()]);
        self.refresh();
    }
}
