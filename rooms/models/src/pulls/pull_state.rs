//! One pull.

use super::rate::PullRate;
use crate::{LayerProgress, ModelFault, PullFrame};
use futures::future::AbortHandle;
use sash_chat::{Id, ModelId};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;

/// What a pull does now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullPhase {
    /// It waits for Ollama, or for another pull to end.
    Waiting,
    /// It runs.
    Running,
    /// The person stopped it. Ollama keeps the downloaded parts.
    Stopped,
    /// It failed. Ollama keeps the downloaded parts.
    Failed(Fault),
}

/// A pull that is not complete.
#[derive(Clone, Debug)]
pub struct PullState {
    /// The model, and the engine that it goes into: two engines may pull models of one name.
    pub model: ModelId,
    /// What it does now.
    pub phase: PullPhase,
    /// Ollama's status text.
    pub status: String,
    /// The progress of each layer, in order of appearance.
    pub layers: Vec<LayerProgress>,
    /// Its speed.
    pub rate: PullRate,
    /// The chat that takes the model once it is installed.
    pub(super) chat: Option<Id>,
    /// Ends the request.
    pub(super) abort: Option<AbortHandle>,
}

impl PullState {
    pub(super) fn new(model: ModelId, phase: PullPhase, chat: Option<Id>) -> Self {
        Self {
            model,
            phase,
            status: String::new(),
            layers: Vec::new(),
            rate: PullRate::default(),
            chat,
            abort: None,
        }
    }

    /// Downloaded bytes and total bytes of the layers known so far.
    #[must_use]
    pub fn whole(&self) -> (u64, u64) {
        self.layers.iter().fold((0, 0), |(done, all), layer| {
            (done + layer.completed.min(layer.total), all + layer.total)
        })
    }

    /// Whether it runs or is about to.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.phase, PullPhase::Running | PullPhase::Waiting)
    }

    /// Whether it failed because a connection broke. A reload of the page breaks the connection too,
    /// and must take the pull up again.
    pub(super) fn is_lost(&self) -> bool {
        matches!(
            self.fault(),
            Some(Fault::ConnectionLost | Fault::OllamaLost | Fault::OllamaUnreachable { .. })
        )
    }

    /// Why it failed.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match &self.phase {
            PullPhase::Failed(fault) => Some(fault),
            _ => None,
        }
    }

    /// Whether it can be resumed: where the name is wrong, trying again changes nothing.
    #[must_use]
    pub fn can_resume(&self) -> bool {
        let hopeless = self
            .fault()
            .is_some_and(|fault| match ModelFault::of(fault) {
                Some(ModelFault::NotInRegistry | ModelFault::RegistryRefused { .. }) => true,
                _ => matches!(fault, Fault::InvalidModelName { .. }),
            });
        !self.is_active() && !hopeless
    }

    /// The seconds until the layers known so far are complete; `None` while that is unknown.
    #[must_use]
    pub fn seconds_left(&self) -> Option<u64> {
        let (done, all) = self.whole();
        self.rate.seconds_for(all.saturating_sub(done))
    }

    /// Begins anew. The layers stay until Ollama has told of them again, so that a pull that is
    /// resumed does not seem to begin at nothing.
    pub(super) fn begin(&mut self, abort: AbortHandle) {
        self.phase = PullPhase::Running;
        self.status = t!(models.asking_ollama).to_owned();
        self.rate = PullRate::default();
        self.abort = Some(abort);
    }

    pub(super) fn end(&mut self, phase: PullPhase) {
        self.phase = phase;
        if let Some(abort) = self.abort.take() {
            abort.abort();
        }
    }

    /// Takes a frame, at a time on the monotonic clock in milliseconds.
    pub(super) fn add_frame(&mut self, frame: PullFrame, now: f64) {
        match frame {
            PullFrame::Status { text } => self.status = text,
            PullFrame::Layer(layer) => {
                self.status = t!(models.downloading).to_owned();
                let mut known = self.layers.iter_mut();
                match known.find(|known| known.digest == layer.digest) {
                    Some(known) => {
                        let came = layer.completed.saturating_sub(known.completed);
                        self.rate.record(now, came);
                        *known = layer;
                    }
                    // What the first frame of a layer says was there before.
                    None => {
                        self.rate.record(now, 0);
                        self.layers.push(layer);
                    }
                }
            }
            PullFrame::Error { .. } | PullFrame::Done => {}
        }
    }
}
