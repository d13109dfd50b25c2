//! Whether Ollama is there, and what it has. The page looks again by itself: every two seconds in the first
//! minute that it is away, growing to half a minute, and when the person comes back.

use crate::edges::Edges;
use crate::notices::Notices;
use crate::settings::SettingsStore;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_wire::{Fault, ModelInfo, OllamaState, Upstream, UpstreamRequest};
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// For so long it is looked for every two seconds, in milliseconds.
const OFTEN_MS: f64 = 60_000.0;

/// The engine that answers: whether it is there, and what it has.
#[derive(Clone, Copy)]
pub struct Engine {
    edges: Edges,
    settings: &'static SettingsStore,
    notices: &'static Notices,
    /// What it last said; `None` before the first answer.
    pub state: RwSignal<Option<OllamaState>>,
    /// The models that can answer, newest first.
    pub models: RwSignal<Vec<ModelInfo>>,
    /// Whether `models` was ever filled since Ollama was last away.
    pub listed: RwSignal<bool>,
    /// Whether Sash itself does not answer.
    pub server_gone: RwSignal<bool>,
    /// Whether Sash asks for a token.
    pub needs_token: RwSignal<bool>,
    /// The contexts that models had when they were last loaded.
    contexts: RwSignal<Vec<(String, u64)>>,
    /// Whether it is being looked for because someone asked.
    pub looking: RwSignal<bool>,
    wait: RwSignal<Duration>,
    /// Since when it is away, on the monotonic clock in milliseconds.
    away: RwSignal<Option<f64>>,
    /// Counts the looks, so that only the latest goes on.
    looks: RwSignal<u32>,
}

impl Engine {
    /// Nothing is known of it yet.
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
            wait: RwSignal::new(FIRST_WAIT),
            away: RwSignal::new(None),
            looks: RwSignal::new(0),
        }
    }

    /// Whether it answers.
    pub fn is_reachable(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|s| s.reachable))
    }

    /// Whether the demo answers.
    pub fn is_demo(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|s| s.upstream == Upstream::Demo))
    }

    /// Tokens of context a model has loaded; unknown while it is not in memory.
    pub fn loaded_context(self, model: &str) -> Option<u64> {
        let loaded = |state: &OllamaState| {
            let found = state.loaded.iter().find(|m| same_model(&m.name, model));
            found.and_then(|m| m.context_length)
        };
        self.state.with(|state| state.as_ref().and_then(loaded))
    }

    /// Whether a model is in memory; unknown while Ollama does not say.
    pub fn is_loaded(self, model: &str) -> Option<bool> {
        let loaded = |state: &OllamaState| state.loaded.iter().any(|m| same_model(&m.name, model));
        self.state.with(|state| state.as_ref().map(loaded))
    }

    /// Tokens of context a model had when it was last seen in memory.
    pub fn last_context(self, model: &str) -> Option<u64> {
        self.contexts.with(|known| {
            let found = known.iter().find(|(name, _)| same_model(name, model));
            found.map(|(_, tokens)| *tokens)
        })
    }

    /// Tokens of context a model reaches: Ollama never loads it with more.
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

    /// Digest of a model in the list.
    pub fn digest(self, model: &str) -> Option<String> {
        self.models.with(|models| {
            let listed = models.iter().find(|m| same_model(&m.name, model));
            listed.and_then(|m| m.digest.clone())
        })
    }

    /// What a failed prompt says of Ollama.
    pub fn note_fault(self, fault: &Fault) {
        match fault {
            Fault::OllamaUnreachable { .. }
            | Fault::OllamaLost
            | Fault::ConnectionLost
            | Fault::BrokenStream { .. } => self.look(),
            Fault::ModelNotFound { .. } => self.listed.set(false),
            Fault::Unauthorized => self.needs_token.set(true),
            _ => {}
        }
    }
}

/// Whether two names mean one model: `latest` goes without saying.
fn same_model(a: &str, b: &str) -> bool {
    let bare = |name: &str| {
        name.strip_suffix(":latest")
            .unwrap_or(name)
            .to_ascii_lowercase()
    };
    bare(a) == bare(b)
}

impl Engine {
    /// Looks for Ollama now, and again later.
    pub fn look(self) {
        self.looks.update(|look| *look = look.wrapping_add(1));
        let look = self.looks.get_untracked();
        self.edges.spawn(async move {
            self.look_once(look).await;
            // With a wrong token each look would count as an attempt.
            if self.looks.get_untracked() != look || self.needs_token.get_untracked() {
                return;
            }
            let wait = self.next_wait();
            self.edges.after(wait, move || {
                if self.looks.get_untracked() == look {
                    self.look();
                }
            });
        });
    }

    /// Looks because someone asked, and says what came of it.
    pub fn look_again(self) {
        self.looking.set(true);
        self.look();
    }

    fn next_wait(self) -> Duration {
        if untrack(|| self.is_reachable()) {
            self.wait.set(FIRST_WAIT);
            self.away.set(None);
            return LONGEST_WAIT;
        }
        let now = self.edges.monotonic();
        let since = self.away.get_untracked().unwrap_or(now);
        self.away.set(Some(since));
        // Someone is starting it just now, and looks at the page.
        if self.edges.with_page(|page| page.is_in_sight()) && now - since < OFTEN_MS {
            return FIRST_WAIT;
        }
        let wait = self.wait.get_untracked();
        self.wait.set((wait * 2).min(LONGEST_WAIT));
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
        if self.looks.get_untracked() != look {
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

    /// Uses another server from now on.
    pub fn use_upstream(self, upstream: Upstream) {
        self.settings
            .change(|settings| settings.upstream = upstream);
        self.follow_upstream();
    }

    /// Forgets what the former server had, and looks what the one of the settings has.
    pub fn follow_upstream(self) {
        self.state.set(None);
        self.models.set(Vec::new());
        self.listed.set(false);
        self.look();
    }
}
