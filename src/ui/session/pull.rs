//! Pulling a model.

use super::Session;
use crate::api;
use futures::StreamExt;
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use sash_wire::{Fault, LayerProgress, PullFrame, PullRequest};

/// A pull, from its start to its end.
#[derive(Clone, Debug)]
pub struct PullState {
    /// The name of the model.
    pub model: String,
    /// What Ollama is doing, in its words.
    pub status: String,
    /// How far each layer is, in the order they came.
    pub layers: Vec<LayerProgress>,
    /// How it ended badly.
    pub fault: Option<Fault>,
    abort: AbortHandle,
}

impl PullState {
    /// Bytes here and bytes in all, as far as layers are known.
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
            PullFrame::Error { .. } | PullFrame::Done => {}
        }
    }
}

impl Session {
    /// Pulls a model and chooses it when it is there.
    pub fn pull(self, model: String) {
        self.stop_pull();
        let (abort, registration) = AbortHandle::new_pair();
        let state = PullState {
            model: model.clone(),
            status: "asking Ollama".to_owned(),
            layers: Vec::new(),
            fault: None,
            abort,
        };
        self.ollama.pull.set(Some(state));
        self.announce(format!("Pulling {model}"));
        let work = async move {
            match self.receive_pull(&model).await {
                Ok(()) => {
                    self.ollama.pull.set(None);
                    self.ollama.pull_asked.set(false);
                    self.announce(format!("{model} is ready"));
                    let upstream = self.settings.with_untracked(|settings| settings.upstream);
                    self.list_models(upstream).await;
                    self.choose_model(&self.listed_name(&model));
                }
                Err(fault) => {
                    self.announce_now(fault.to_string());
                    self.change_pull(|pull| pull.fault = Some(fault));
                }
            }
        };
        leptos::task::spawn_local(async move {
            let _ = Abortable::new(work, registration).await;
        });
    }

    /// Stops the pull. What came stays with Ollama and is used by the next one.
    pub fn stop_pull(self) {
        if let Some(pull) = self.ollama.pull.get_untracked() {
            pull.abort.abort();
            self.ollama.pull.set(None);
            self.announce("Pull stopped".to_owned());
        }
    }

    async fn receive_pull(self, model: &str) -> Result<(), Fault> {
        let upstream = self.settings.with_untracked(|settings| settings.upstream);
        let request = PullRequest {
            model: model.to_owned(),
            upstream,
        };
        let stream = api::pull(request)
            .await
            .map_err(api::ApiError::into_fault)?;
        let mut frames = api::frames(stream);
        while let Some(frame) = frames.next().await {
            let end = match frame? {
                PullFrame::Done => Some(Ok(())),
                PullFrame::Error { error } => Some(Err(error)),
                frame => {
                    self.change_pull(|pull| pull.take(frame));
                    None
                }
            };
            if let Some(end) = end {
                return end;
            }
        }
        Err(Fault::ConnectionLost)
    }

    fn change_pull(self, change: impl FnOnce(&mut PullState)) {
        self.ollama.pull.update(|pull| {
            if let Some(pull) = pull {
                change(pull);
            }
        });
    }

    /// The name under which a pulled model is listed, tag included.
    fn listed_name(self, model: &str) -> String {
        let full = format!("{model}:latest");
        let listed = |name: &str| {
            self.ollama
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
