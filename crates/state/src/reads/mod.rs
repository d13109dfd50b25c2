//! What models read ahead, and what became of it when the prompt was sent.

mod model_reads;
mod reading_speed;

pub use model_reads::{ModelReads, ReadStop};
pub use reading_speed::ReadingSpeed;

use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, ModelId, ReadBefore};
use sash_wire::{ChatRequest, Fault, ReadResult, Usage};
use std::collections::BTreeMap;

/// What each model read ahead since the page was loaded, by the model's key.
#[derive(Clone, Copy)]
pub struct Reads {
    models: RwSignal<BTreeMap<String, ModelReads>>,
    /// Whether a model is reading now: what is less urgent waits.
    is_running: StoredValue<bool>,
}

impl Default for Reads {
    fn default() -> Self {
        Self {
            models: RwSignal::new(BTreeMap::new()),
            is_running: StoredValue::new(false),
        }
    }
}

impl Reads {
    /// Reads what is known of a model; the default of one that read nothing.
    pub fn with<T>(self, model: &ModelId, read: impl FnOnce(&ModelReads) -> T) -> T {
        self.models.with(|all| {
            let none = ModelReads::default();
            read(all.get(&*model.key()).unwrap_or(&none))
        })
    }

    /// Why a model reads nothing ahead any more.
    #[must_use]
    pub fn stop_of(self, model: &ModelId) -> Option<ReadStop> {
        self.with(model, |reads| reads.stop.clone())
    }

    /// Whether a model is reading now.
    pub(crate) fn is_running(self) -> bool {
        self.is_running.get_value()
    }

    pub(crate) fn set_running(self, is_running: bool) {
        self.is_running.set_value(is_running);
    }

    /// Records what a model has read of a prompt.
    pub(crate) fn record(self, request: &ChatRequest, result: &ReadResult) {
        self.change(request, |reads| reads.record(request, result));
    }

    /// Records that an engine refuses a prompt that was to be read.
    pub(crate) fn record_refusal(self, request: &ChatRequest, fault: &Fault) {
        self.change(request, |reads| reads.refuse(fault.to_string()));
    }

    /// Records that a prompt is sent, for an answer.
    pub(crate) fn record_sent(self, answer: Id, request: &ChatRequest) {
        self.change(request, |reads| reads.record_sent(answer, request));
    }

    /// Records what the engine says of a prompt that has ended. Returns what goes into the receipt.
    pub(crate) fn record_end(
        self,
        answer: Id,
        model: &ModelId,
        text: &str,
        usage: &Usage,
    ) -> Option<ReadBefore> {
        let key = model.key().into_owned();
        let ended = self.models.try_update(|all| {
            let reads = all.entry(key).or_default();
            reads.record_end(answer, text, usage)
        });
        ended.flatten()
    }

    fn change(self, request: &ChatRequest, change: impl FnOnce(&mut ModelReads)) {
        let key = key_of(request);
        self.models
            .update(|all| change(all.entry(key).or_default()));
    }
}

fn key_of(request: &ChatRequest) -> String {
    let model = ModelId::new(request.engine.as_deref(), &request.model);
    model.key().into_owned()
}
