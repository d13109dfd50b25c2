//! Whether Ollama is there, and what it has. The page looks again by itself: soon after it was not
//! there, growing to half a minute, and when the person comes back.

use super::Session;
use crate::api;
use crate::ui::signal::RwSignal;
use crate::wire::{Fault, ModelInfo, OllamaState, Upstream, UpstreamRequest};
use leptos::prelude::*;
use std::time::Duration;

const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The state of Ollama.
#[derive(Clone, Copy)]
pub struct Ollama {
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
    /// What is being pulled.
    pub pull: RwSignal<Option<super::PullState>>,
    /// Whether the dialog for pulling is open.
    pub pull_asked: RwSignal<bool>,
    wait: RwSignal<Duration>,
    /// Counts the looks, so that only the latest goes on.
    look: RwSignal<u32>,
}

impl Ollama {
    pub(super) fn new() -> Self {
        Self {
            state: RwSignal::new(None),
            models: RwSignal::new(Vec::new()),
            listed: RwSignal::new(false),
            server_gone: RwSignal::new(false),
            needs_token: RwSignal::new(false),
            pull: RwSignal::new(None),
            pull_asked: RwSignal::new(false),
            wait: RwSignal::new(FIRST_WAIT),
            look: RwSignal::new(0),
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

    /// What a failed prompt says of Ollama.
    pub(super) fn note_fault(self, session: Session, fault: &Fault) {
        match fault {
            Fault::OllamaUnreachable { .. } | Fault::ConnectionLost {} => session.look_for_ollama(),
            Fault::ModelNotFound { .. } => self.listed.set(false),
            Fault::Unauthorized {} => self.needs_token.set(true),
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

impl Session {
    /// Looks for Ollama now, and again later.
    pub fn look_for_ollama(self) {
        self.ollama.look.update(|look| *look = look.wrapping_add(1));
        let look = self.ollama.look.get_untracked();
        leptos::task::spawn_local(async move {
            self.look_once(look).await;
            // With a wrong token each look would count as an attempt.
            if self.ollama.look.get_untracked() != look || self.ollama.needs_token.get_untracked() {
                return;
            }
            let wait = self.next_wait();
            set_timeout(
                move || {
                    if self.ollama.look.get_untracked() == look {
                        self.look_for_ollama();
                    }
                },
                wait,
            );
        });
    }

    fn next_wait(self) -> Duration {
        if untrack(|| self.ollama.is_reachable()) {
            self.ollama.wait.set(FIRST_WAIT);
            return LONGEST_WAIT;
        }
        let wait = self.ollama.wait.get_untracked();
        self.ollama.wait.set((wait * 2).min(LONGEST_WAIT));
        wait
    }

    async fn look_once(self, look: u32) {
        let upstream = self.settings.with_untracked(|settings| settings.upstream);
        let found = api::state(UpstreamRequest { upstream }).await;
        if self.ollama.look.get_untracked() != look {
            return;
        }
        match found {
            Ok(state) => {
                let reachable = state.reachable;
                self.ollama.server_gone.set(false);
                self.ollama.needs_token.set(false);
                if self
                    .ollama
                    .state
                    .with_untracked(|known| known.as_ref() != Some(&state))
                {
                    self.ollama.state.set(Some(state));
                }
                if reachable {
                    self.list_models(upstream).await;
                } else {
                    self.ollama.listed.set(false);
                }
            }
            Err(refused) => match refused.error {
                Fault::Unauthorized {} | Fault::TooManyAttempts {} => {
                    self.ollama.needs_token.set(true)
                }
                _ => {
                    self.ollama.server_gone.set(true);
                    self.ollama.state.set(None);
                    self.ollama.listed.set(false);
                }
            },
        }
    }

    /// Fetches the list of models.
    pub async fn list_models(self, upstream: Upstream) {
        let list = api::models(UpstreamRequest { upstream }).await;
        let asked_still = self
            .settings
            .with_untracked(|settings| settings.upstream == upstream);
        if let (Ok(list), true) = (list, asked_still) {
            if self
                .ollama
                .models
                .with_untracked(|known| *known != list.models)
            {
                self.ollama.models.set(list.models);
            }
            self.ollama.listed.set(true);
        }
    }

    /// Uses another server from now on.
    pub fn use_upstream(self, upstream: Upstream) {
        self.change_settings(|settings| settings.upstream = upstream);
        self.ollama.state.set(None);
        self.ollama.models.set(Vec::new());
        self.ollama.listed.set(false);
        self.look_for_ollama();
    }
}
