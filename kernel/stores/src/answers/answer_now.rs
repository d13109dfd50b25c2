//! *Answer now*: a model that thinks goes on with its answer.

use super::Answers;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_wire::AnswerNowRequest;

impl Answers {
    /// Records that the thinking of an answer can be ended, by the engine's id of it.
    pub(super) fn record_endable(self, id: Id, engine_id: String) {
        let live = self.running.with(id, |running| {
            running.engine_id = Some(engine_id);
            running.live.clone()
        });
        if let Some(live) = live {
            live.endable.set(true);
        }
    }

    /// Has the model end the thinking of an answer. It is said once: what the engine refuses, it would refuse again.
    pub fn answer_now(self, id: Id) {
        let found = self.running.with(id, |running| {
            let engine_id = running.engine_id.take()?;
            Some((engine_id, running.message.model_id()?, running.live.clone()))
        });
        let Some((engine_id, model, live)) = found.flatten() else {
            return;
        };
        live.endable.set(false);
        let request = AnswerNowRequest {
            model: model.name,
            upstream: self.engine().upstream(),
            engine: model.engine,
            id: engine_id,
        };
        let asked = self.edges.transport().answer_now.send(request);
        self.edges.spawn(async move {
            if let Err(fault) = asked.await {
                self.notices().show(fault.to_string());
            }
        });
    }
}
