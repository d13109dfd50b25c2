//! Whether Ollama answers, and which models it has. The page checks again by itself: every two
//! seconds in the first minute that Ollama is unreachable, then up to every half minute, and when
//! the page becomes visible.

use crate::edges::Edges;
use crate::notices::Notices;
use crate::settings::SettingsStore;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Think;
use sash_wire::{Fault, ModelInfo, OllamaState, Upstream, UpstreamRequest};
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long the page checks every two seconds after Ollama became unreachable, in milliseconds.
const OFTEN_MS: f64 = 60_000.0;

/// The engine that answers: its state and its models.
#[derive(Clone, Copy)]
pub struct Engine {
    edges: Edges,
    settings: &'static SettingsStore,
    notices: &'static Notices,
    /// The last state received; `None` before the first one.
    pub state: RwSignal<Option<OllamaState>>,
    /// The models that can answer, newest first.
    pub models: RwSignal<Vec<ModelInfo>>,
    /// Whether `models` was filled since Ollama was last unreachable.
    pub listed: RwSignal<bool>,
    /// Whether the Sash server itself does not answer.
    pub server_gone: RwSignal<bool>,
    /// Whether Sash asks for a token.
    pub needs_token: RwSignal<bool>,
    /// The context length of each model when it was last loaded.
    contexts: RwSignal<Vec<(String, u64)>>,
    /// Whether a check that the person asked for is running.
    pub looking: RwSignal<bool>,
    wait: StoredValue<Duration>,
    /// When Ollama became unreachable, on the monotonic clock in milliseconds.
    away: StoredValue<Option<f64>>,
    /// Counts the checks, so that only the latest schedules the next one.
    looks: StoredValue<u32>,
}

impl Engine {
    /// Creates the store; nothing is known of the engine yet.
    #[must_use]
    pub fn new(edges: Edges, settings: &'static SettingsStore, notices: &'static Notices) -> Self {
        Self {
            edges,
            settings,
            notices,
            state: RwSignal::new(None),
            models: RwSignal::new(Vec::new()),
            listed: RwSignal::new(false),
            server_gone: RwSignal::new(false),
            needs_token: RwSignal::new(false),
            contexts: RwSignal::new(Vec::new()),
            looking: RwSignal::new(false),
            wait: StoredValue::new(FIRST_WAIT),
            away: StoredValue::new(None),
            looks: StoredValue::new(0),
        }
    }

    /// Whether the engine answers.
    pub fn is_reachable(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|s| s.reachable))
    }

    /// Whether the demo is the engine.
    pub fn is_demo(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|s| s.upstream == Upstream::Demo))
    }

    /// The context length that a model is loaded with, in tokens; `None` while the model is not in
    /// memory.
    pub fn loaded_context(self, model: &str) -> Option<u64> {
        let loaded = |state: &OllamaState| {
            let found = state.loaded.iter().find(|m| same_model(&m.name, model));
            found.and_then(|m| m.context_length)
        };
        self.state.with(|state| state.as_ref().and_then(loaded))
    }

    /// Whether a model is in memory; `None` if Ollama does not say.
    pub fn is_loaded(self, model: &str) -> Option<bool> {
        let loaded = |state: &OllamaState| state.loaded.iter().any(|m| same_model(&m.name, model));
        self.state.with(|state| state.as_ref().map(loaded))
    }

    /// The context length that a model had when it was last in memory, in tokens.
    pub fn last_context(self, model: &str) -> Option<u64> {
        self.contexts.with(|known| {
            let found = known.iter().find(|(name, _)| same_model(name, model));
            found.map(|(_, tokens)| *tokens)
        })
    }

    /// The largest context length of a model, in tokens: Ollama never loads it with more.
    pub fn most_context(self, model: &str) -> Option<u64> {
        self.models.with(|models| {
            let found = models.iter().find(|m| m.name == model);
            found.and_then(|m| m.context_length)
        })
    }

    fn note_contexts(self, state: &OllamaState) {
        let loaded = state.loaded.iter();
        let loaded = loaded.filter_map(|m| Some((m.name.clone(), m.context_length?)));
        for (name, tokens) in loaded {
            if self.last_context(&name) != Some(tokens) {
                self.contexts.update(|known| {
                    known.retain(|(other, _)| !same_model(other, &name));
                    known.push((name, tokens));
                });
            }
        }
    }

    /// The digest of a model in the list.
    pub fn digest(self, model: &str) -> Option<String> {
        self.models.with(|models| {
            let listed = models.iter().find(|m| same_model(&m.name, model));
            listed.and_then(|m| m.digest.clone())
        })
    }

    /// The values of `think` that a model in the list offers; none for a model that cannot think.
    pub fn think_choices(self, model: &str) -> Vec<Think> {
        self.models.with(|models| {
            let listed = models.iter().find(|m| same_model(&m.name, model));
            listed.map(|m| m.think.clone()).unwrap_or_default()
        })
    }

    /// Whether a model sees images. One whose capabilities are unknown may: then Ollama decides.
    pub fn sees_images(self, model: &str) -> bool {
        self.models.with(|models| {
            let listed = models.iter().find(|m| same_model(&m.name, model));
            listed.is_some_and(ModelInfo::sees_images)
        })
    }

    /// Updates the engine's state from the fault of a prompt.
    pub fn note_fault(self, fault: &Fault) {
        match fault {
            Fault::OllamaUnreachable { .. }
            | Fault::OllamaLost
            | Fault::ConnectionLost
            | Fault::BrokenStream { .. } => self.refresh(),
            Fault::ModelNotFound { .. } => self.listed.set(false),
            Fault::Unauthorized => self.needs_token.set(true),
            _ => {}
        }
    }
}

/// Whether two names mean the same model: a missing tag means `latest`.
pub(crate) fn same_model(a: &str, b: &str) -> bool {
    let bare = |name: &str| {
        name.strip_suffix(":latest")
            .unwrap_or(name)
            .to_ascii_lowercase()
    };
    bare(a) == bare(b)
}

impl Engine {
    /// Checks for Ollama now and schedules the next check.
    pub fn refresh(self) {
        self.looks.update_value(|look| *look = look.wrapping_add(1));
        let look = self.looks.get_value();
        self.edges.spawn(async move {
            self.look_once(look).await;
            // With a wrong token, each check would count as a failed attempt.
            if self.looks.get_value() != look || self.needs_token.get_untracked() {
                return;
            }
            let wait = self.next_wait();
            self.edges.after(wait, move || {
                if self.looks.get_value() == look {
                    self.refresh();
                }
            });
        });
    }

    /// Checks because the person asked, and announces the result.
    pub fn look_again(self) {
        self.looking.set(true);
        self.refresh();
    }

    fn next_wait(self) -> Duration {
        if untrack(|| self.is_reachable()) {
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

    async fn look_once(self, look: u32) {
        let upstream = self
            .settings
            .current
            .with_untracked(|settings| settings.upstream);
        let found = self
            .edges
            .with_transport(|server| server.state(UpstreamRequest { upstream }))
            .await;
        if self.looks.get_value() != look {
            return;
        }
        let asked = self.looking.get_untracked();
        self.looking.set(false);
        match found {
            Ok(state) => {
                let reachable = state.reachable;
                if asked && !reachable {
                    self.notices.announce("Ollama is still not reachable");
                }
                untrack(|| self.note_contexts(&state));
                self.server_gone.set(false);
                self.needs_token.set(false);
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
                }
            }
            Err(fault) => match fault {
                Fault::Unauthorized | Fault::TooManyAttempts => self.needs_token.set(true),
                _ => {
                    self.server_gone.set(true);
                    self.state.set(None);
                    self.listed.set(false);
                }
            },
        }
    }

    /// Fetches the list of models.
    pub async fn list_models(self, upstream: Upstream) {
        let list = self
            .edges
            .with_transport(|server| server.models(UpstreamRequest { upstream }))
            .await;
        let asked_still = self
            .settings
            .current
            .with_untracked(|settings| settings.upstream == upstream);
        if let (Ok(list), true) = (list, asked_still) {
            if self.models.with_untracked(|known| *known != list.models) {
                self.models.set(list.models);
            }
            self.listed.set(true);
        }
    }

    /// Switches to another engine.
    pub fn use_upstream(self, upstream: Upstream) {
        self.settings
            .change(|settings| settings.upstream = upstream);
        self.follow_upstream();
    }

    /// Forgets the state of the previous engine and checks the one in the settings.
    pub fn follow_upstream(self) {
        self.state.set(None);
        self.models.set(Vec::new());
        self.listed.set(false);
        self.refresh();
    }
}
