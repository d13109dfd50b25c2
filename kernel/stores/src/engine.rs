//! The engines: whether they answer, and the models that they have. The page checks again by itself: every two
//! seconds in the first minute that one of them is unreachable, then up to every half minute, and when
//! the page becomes visible.

mod choice;
mod known;
mod unsent;

pub use choice::{is_found, models_to_choose};

use crate::edges::Edges;
use crate::notices::Notices;
use crate::settings::{SettingsStore, SettingsStoreFields};
use crate::ticket::{Ticket, Tickets, TicketsOf};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::ModelId;
use sash_wire::{EngineInfo, Fault, ModelInfo, OllamaState, Upstream, UpstreamRequest};
use sash_words::t;
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long the page checks every two seconds after an engine became unreachable, in milliseconds.
const OFTEN_MS: f64 = 60_000.0;

/// The engines that answer: their states and their models. The first engine of the server's configuration is the one
/// without a name in requests, settings and records.
#[derive(Clone, Copy)]
pub struct EngineStore {
    edges: Edges,
    settings: StoredValue<SettingsStore>,
    notices: StoredValue<Notices>,
    /// The last state received of the first engine; `None` before the first one.
    pub state: RwSignal<Option<OllamaState>>,
    /// The engines of the server's configuration, in its order; empty before the first state.
    pub engines: RwSignal<Vec<EngineInfo>>,
    /// The other engines, in the order of the configuration.
    pub others: RwSignal<Vec<OtherEngine>>,
    /// The models that can answer: those of the first engine, newest first, then those of the others that answer.
    pub models: RwSignal<Vec<ModelInfo>>,
    /// The models of the first engine.
    first_models: StoredValue<Vec<ModelInfo>>,
    /// Whether the models of the first engine were listed since it was last unreachable.
    pub listed: RwSignal<bool>,
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
}

uses!(EngineStore: settings notices);

/// What is known of an engine that is not the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OtherEngine {
    /// Its name.
    pub name: String,
    /// Its last state; `None` before the first one.
    pub state: Option<OllamaState>,
    /// Its models, if it answered when it was last asked for them.
    pub models: Option<Vec<ModelInfo>>,
    /// The models that it had when it answered last.
    pub(crate) last_models: Vec<ModelInfo>,
}

impl EngineStore {
    /// Creates the store; nothing is known of the engines yet.
    #[must_use]
    pub fn new(edges: Edges, settings: SettingsStore, notices: Notices) -> Self {
        let store = Self {
            edges,
            settings: StoredValue::new(settings),
            notices: StoredValue::new(notices),
            state: RwSignal::new(None),
            engines: RwSignal::new(Vec::new()),
            others: RwSignal::new(Vec::new()),
            models: RwSignal::new(Vec::new()),
            first_models: StoredValue::new(Vec::new()),
            listed: RwSignal::new(false),
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
            Fault::ModelNotFound { .. } => self.listed.set(false),
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
        if untrack(|| self.all_reachable()) {
            self.wait.set_value(FIRST_WAIT);
            self.away.set_value(None);
            return LONGEST_WAIT;
        }
        let now = self.edges.monotonic();
        let since = self.away.get_value().unwrap_or(now);
        self.away.set_value(Some(since));
        // The person is probably starting Ollama just now and watching the page.
        if self.edges.with_page(|page| page.is_visible()) && now - since < OFTEN_MS {
            return FIRST_WAIT;
        }
        let wait = self.wait.get_value();
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
                    self.notices()
                        .announce(t!(state.is_still_not_reachable, title = &title));
                }
                untrack(|| self.record_contexts(None, &state));
                self.server_gone.set(false);
                self.needs_token.set(false);
                self.token_fault.set(None);
                self.record_engines(upstream, &state.engines);
                if self
                    .state
                    .with_untracked(|known| known.as_ref() != Some(&state))
                {
                    self.state.set(Some(state));
                }
                if reachable {
                    self.list_models(upstream).await;
                } else {
                    self.listed.set(false);
                    self.join_models();
                }
            }
            Err(fault) => match fault {
                Fault::OpenedTwice => self.ask_for_token(Some(fault)),
                Fault::Unauthorized | Fault::TooManyAttempts => {
                    self.ask_for_token(was_asked.then_some(fault));
                }
                _ => {
                    self.server_gone.set(true);
                    self.state.set(None);
                    self.listed.set(false);
                }
            },
        }
    }

    /// Follows the server's configuration; engines that are new to the page are asked for at once.
    fn record_engines(self, upstream: Upstream, engines: &[EngineInfo]) {
        if upstream == Upstream::Ollama {
            self.settings().bind_draft_engines(engines);
        }
        if self.engines.with_untracked(|known| known == engines) {
            return;
        }
        self.engines.set(engines.to_vec());
        let known = self.names_of_others();
        let names = engines.iter().skip(1).map(|engine| engine.name.clone());
        let names: Vec<String> = names.collect();
        self.others.update(|others| {
            let mut former = std::mem::take(others);
            others.extend(names.iter().map(|name| {
                let at = former.iter().position(|other| other.name == *name);
                at.map_or_else(
                    || OtherEngine {
                        name: name.clone(),
                        ..OtherEngine::default()
                    },
                    |at| former.swap_remove(at),
                )
            }));
        });
        for name in names {
            if !known.contains(&name) {
                self.poll_engine(upstream, name);
            }
        }
    }

    /// Follows what the server learns of an engine when it asks it: what it can do, and how it is reached.
    fn record_info(self, name: &str, state: &OllamaState) {
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
        let names = |others: &Vec<OtherEngine>| others.iter().map(|o| o.name.clone()).collect();
        self.others.with_untracked(names)
    }

    /// Asks for the state and the models of another engine, unless that is being done. A slow engine holds up nothing
    /// but its own models.
    fn poll_engine(self, upstream: Upstream, name: String) {
        if self.pending.with_value(|pending| pending.contains(&name)) {
            return;
        }
        self.pending
            .update_value(|pending| pending.push(name.clone()));
        self.edges.spawn(async move {
            let request = UpstreamRequest {
                upstream,
                engine: Some(name.clone()),
            };
            let state = self.edges.transport().state.send(request.clone());
            let state = state.await;
            let models = match &state {
                Ok(state) if state.reachable => {
                    let ticket = self.listings.begin(Some(name.clone()));
                    let list = self.edges.transport().models.send(request);
                    match list.await {
                        Ok(list) if ticket.is_current() => Some(list.models),
                        // An engine that answers but is too busy for its list keeps the one that is known.
                        _ => self.models_of(&name),
                    }
                }
                _ => None,
            };
            self.pending
                .update_value(|pending| pending.retain(|other| *other != name));
            if let (Ok(state), true) = (state, self.upstream() == upstream) {
                untrack(|| self.record_contexts(Some(&name), &state));
                self.record_info(&name, &state);
                let now = OtherEngine {
                    name,
                    state: Some(state),
                    models,
                    ..OtherEngine::default()
                };
                self.record_other(now);
            }
        });
    }

    fn models_of(self, name: &str) -> Option<Vec<ModelInfo>> {
        self.others.with_untracked(|others| {
            let known = others.iter().find(|other| other.name == name)?;
            known.models.clone()
        })
    }

    fn record_other(self, now: OtherEngine) {
        let is_news = self.others.with_untracked(|others| {
            let known = others.iter().find(|other| other.name == now.name);
            known.is_some_and(|known| known.state != now.state || known.models != now.models)
        });
        if is_news {
            self.others.update(|others| {
                if let Some(known) = others.iter_mut().find(|other| other.name == now.name) {
                    let last_models = now.models.clone();
                    let last_models =
                        last_models.unwrap_or_else(|| std::mem::take(&mut known.last_models));
                    *known = OtherEngine { last_models, ..now };
                }
            });
            self.join_models();
        }
    }

    /// Joins the models of all engines that answer. The models of an engine that is the only one stay listed while it is
    /// away.
    fn join_models(self) {
        let others = self.others.with_untracked(|others| {
            let models = others.iter().filter_map(|other| other.models.clone());
            models.flatten().collect::<Vec<_>>()
        });
        let is_only = self.others.with_untracked(Vec::is_empty);
        let mut all = match is_only || self.listed.get_untracked() {
            true => self.first_models.get_value(),
            false => Vec::new(),
        };
        all.extend(others);
        if self.models.with_untracked(|known| *known != all) {
            self.models.set(all);
        }
    }

    /// Fetches the list of models of the first engine.
    pub async fn list_models(self, upstream: Upstream) {
        let engine = None;
        let ticket = self.listings.begin(None);
        let list = self
            .edges
            .transport()
            .models
            .send(UpstreamRequest { upstream, engine })
            .await;
        let is_wanted = ticket.is_current() && self.upstream() == upstream;
        if let (Ok(list), true) = (list, is_wanted) {
            self.first_models.set_value(list.models);
            // The list first: who sees that it is there reads it.
            self.listed.update_untracked(|listed| *listed = true);
            self.join_models();
            self.listed.set(true);
        }
    }

    /// Fetches the list of models of an engine that has changed.
    pub async fn list_again(self, engine: Option<String>) {
        let upstream = self.upstream();
        let Some(name) = engine else {
            return self.list_models(upstream).await;
        };
        let engine = Some(name.clone());
        let ticket = self.listings.begin(engine.clone());
        let list = self
            .edges
            .transport()
            .models
            .send(UpstreamRequest { upstream, engine })
            .await;
        let known = self.others.with_untracked(|others| {
            let found = others.iter().find(|other| other.name == name);
            found.cloned()
        });
        let is_wanted = ticket.is_current() && self.upstream() == upstream;
        if let (Ok(list), Some(known), true) = (list, known, is_wanted) {
            self.record_other(OtherEngine {
                models: Some(list.models),
                ..known
            });
        }
    }

    /// Takes a deleted model out of the lists. Those that were asked for before bring it back no more.
    pub fn forget(self, model: &ModelId) {
        self.listings.cancel(model.engine.clone());
        let keep = |info: &ModelInfo| !same_model(&info.name, &model.name);
        match &model.engine {
            None => self.first_models.update_value(|all| all.retain(keep)),
            Some(name) => self.others.update(|others| {
                let other = others.iter_mut().find(|other| other.name == *name);
                if let Some(other) = other {
                    other.models.iter_mut().for_each(|all| all.retain(keep));
                    other.last_models.retain(keep);
                }
            }),
        }
        self.join_models();
    }

    /// Whether the configured engines answer, or the demo.
    pub fn upstream(self) -> Upstream {
        self.settings().current.upstream().get_untracked()
    }

    /// Switches to the demo, or back to the configured engines.
    pub fn use_upstream(self, upstream: Upstream) {
        self.settings()
            .change(|settings| settings.upstream = upstream);
    }

    /// Forgets the state of the previous engines and checks those in the settings.
    fn follow_upstream(self) {
        self.state.set(None);
        self.engines.set(Vec::new());
        self.others.set(Vec::new());
        self.first_models.set_value(Vec::new());
        self.models.set(Vec::new());
        self.listed.set(false);
        self.refresh();
    }
}
