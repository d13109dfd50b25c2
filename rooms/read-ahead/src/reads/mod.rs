//! Prompts that models read ahead, and their use when they were sent.

mod model_reads;

pub use model_reads::{ModelReads, ReadStop};

use crate::ReadResult;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Message, ModelId};
use sash_stores::{AnswerEvent, Answers, ReadingSpeeds};
use sash_wire::{ChatRequest, Fault, Usage};
use std::collections::BTreeMap;

/// What each model read ahead since the page was loaded, by the model's key.
#[derive(Clone, Copy)]
pub struct Reads {
    models: RwSignal<BTreeMap<String, ModelReads>>,
    speeds: ReadingSpeeds,
}

impl Reads {
    /// Creates the store, which follows the prompts that are sent and their answers.
    pub(crate) fn new(answers: Answers) -> Self {
        let reads = Self {
            models: RwSignal::new(BTreeMap::new()),
            speeds: answers.reading_speeds(),
        };
        answers.events().on(move |event| match event {
            AnswerEvent::Sending(answer, request) => {
                reads.change(request, |reads| reads.record_sent(*answer, request));
            }
            AnswerEvent::Ending(message, usage) => {
                reads.record_end(&mut message.borrow_mut(), usage);
            }
            AnswerEvent::Ended(..)
            | AnswerEvent::Called(_)
            | AnswerEvent::Stopping(_)
            | AnswerEvent::Free(_) => {}
        });
        reads
    }

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

    /// Records what a model has read of a prompt.
    pub(crate) fn record(self, request: &ChatRequest, result: &ReadResult) {
        let new = self.change(request, |reads| reads.record(request, result));
        if let (Some(new), Some(ms)) = (new, result.prompt_ms) {
            let model = model_of(request);
            self.speeds
                .change(&model, |speed| speed.record_read(new, ms));
        }
    }

    /// Records that an engine refuses a prompt that was to be read.
    pub(crate) fn record_refusal(self, request: &ChatRequest, fault: &Fault) {
        let stop = ReadStop::Refused(fault.to_string());
        self.change(request, |reads| reads.stop = Some(stop));
    }

    /// Records what the engine says of a prompt that has ended, and adds it to the receipt of its answer.
    fn record_end(self, message: &mut Message, usage: &Usage) {
        let Some(model) = message.model_id() else {
            return;
        };
        let tokens_in = |ms| untrack(|| self.speeds.with(&model, |speed| speed.tokens_in(ms)));
        let read = usage.prompt_ms.and_then(tokens_in);
        let ended = self.models.try_update(|all| {
            let reads = all.entry(model.key().into_owned()).or_default();
            reads.record_end(message.id, &message.content, usage, read)
        });
        if let Some(receipt) = &mut message.receipt {
            receipt.read_ahead = ended.flatten();
        }
    }

    fn change<T>(
        self,
        request: &ChatRequest,
        change: impl FnOnce(&mut ModelReads) -> T,
    ) -> Option<T> {
        let key = model_of(request).key().into_owned();
        self.models
            .try_update(|all| change(all.entry(key).or_default()))
    }
}

fn model_of(request: &ChatRequest) -> ModelId {
    ModelId::new(request.engine.as_deref(), &request.model)
}
