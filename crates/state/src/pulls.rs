//! Pulling a model.

use crate::chats::Chats;
use crate::edges::Edges;
use crate::engine::Engine;
use crate::notices::Notices;
use crate::settings::SettingsStore;
use futures::StreamExt;
use futures::future::AbortHandle;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_wire::{Fault, LayerProgress, PullFrame, PullRequest};

/// A pull, running or ended.
#[derive(Clone, Debug)]
pub struct PullState {
    /// The name of the model.
    pub model: String,
    /// Ollama's status text.
    pub status: String,
    /// The progress of each layer, in order of appearance.
    pub layers: Vec<LayerProgress>,
    /// Why the pull failed.
    pub fault: Option<Fault>,
    abort: AbortHandle,
}

impl PullState {
    /// Downloaded bytes and total bytes of the layers known so far.
    pub fn whole(&self) -> (u64, u64) {
        self.layers.iter().fold((0, 0), |(done, all), layer| {
            (done + layer.completed, all + layer.total)
        })
    }

    fn take(&mut self, frame: PullFrame) {
        match frame {
            PullFrame::Status { text } => self.status = text,
            PullFrame::Layer(layer) => {
                match self
                    .layers
                    .iter_mut()
                    .find(|known| known.digest == layer.digest)
                {
                    Some(known) => *known = layer,
                    None => self.layers.push(layer),
                }
            }
            PullFrame::Error { error } => self.fault = Some(error),
            PullFrame::Done => {}
        }
    }
}

/// Pulling models.
#[derive(Clone, Copy)]
pub struct Pulls {
    edges: Edges,
    notices: &'static Notices,
    settings: &'static SettingsStore,
    engine: &'static Engine,
    chats: &'static Chats,
    /// The pull that is shown.
    pub current: RwSignal<Option<PullState>>,
    /// Whether the pull dialog is open.
    pub asked: RwSignal<bool>,
}

impl Pulls {
    /// Creates the store without a pull.
    #[must_use]
    pub fn new(
        edges: Edges,
        notices: &'static Notices,
        settings: &'static SettingsStore,
        engine: &'static Engine,
        chats: &'static Chats,
    ) -> Self {
        Self {
            edges,
            notices,
            settings,
            engine,
            chats,
            current: RwSignal::new(None),
            asked: RwSignal::new(false),
        }
    }

    /// Pulls a model and chooses it once it is installed.
    pub fn start(self, model: String) {
        self.stop();
        let (abort, registration) = AbortHandle::new_pair();
        let state = PullState {
            model: model.clone(),
            status: "asking Ollama".to_owned(),
            layers: Vec::new(),
            fault: None,
            abort,
        };
        self.current.set(Some(state));
        self.notices.announce(format!("Pulling {model}"));
        let work = async move {
            match self.receive_pull(&model).await {
                Ok(()) => {
                    self.current.set(None);
                    self.asked.set(false);
                    self.notices.announce(format!("{model} is ready"));
                    let upstream = self
                        .settings
                        .current
                        .with_untracked(|settings| settings.upstream);
                    self.engine.list_models(upstream).await;
                    self.chats.choose_model(&self.listed_name(&model));
                }
                Err(fault) => {
                    self.notices.announce_now(fault.to_string());
                    self.change_pull(|pull| pull.fault = Some(fault));
                }
            }
        };
        self.edges.spawn_abortable(registration, work);
    }

    /// Stops the pull. Ollama keeps the downloaded parts and resumes from them.
    pub fn stop(self) {
        if let Some(pull) = self.current.get_untracked() {
            pull.abort.abort();
            self.current.set(None);
            self.notices.announce("Pull stopped".to_owned());
        }
    }

    async fn receive_pull(self, model: &str) -> Result<(), Fault> {
        let upstream = self
            .settings
            .current
            .with_untracked(|settings| settings.upstream);
        let request = PullRequest {
            model: model.to_owned(),
            upstream,
        };
        let asked = self.edges.with_transport(|server| server.pull(request));
        let mut frames = asked.await?;
        while let Some(frame) = frames.next().await {
            match frame? {
                PullFrame::Done => return Ok(()),
                PullFrame::Error { error } => return Err(error),
                frame => self.change_pull(|pull| pull.take(frame)),
            }
        }
        Err(Fault::ConnectionLost)
    }

    fn change_pull(self, change: impl FnOnce(&mut PullState)) {
        self.current.update(|pull| {
            if let Some(pull) = pull {
                change(pull);
            }
        });
    }

    /// The name under which a pulled model is listed, tag included.
    fn listed_name(self, model: &str) -> String {
        let full = format!("{model}:latest");
        let listed = |name: &str| {
            self.engine
                .models
                .with_untracked(|models| models.iter().any(|m| m.name == name))
        };
        if listed(&full) {
            full
        } else {
            model.to_owned()
        }
    }
}
