//! The vector of the prompt, and the messages near it.

use super::Embeddings;
use super::model::ActiveModel;
use futures::future::AbortHandle;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_search::vectors::{
    NearMessage, QuantizedVector, TextKind, mean_direction, text_parts, with_prefix,
};
use sash_wire::Fault;

/// How many prompts' vectors are remembered: going back to an earlier wording asks for nothing.
const MAX_PROMPTS: usize = 16;

impl Embeddings {
    /// The messages near a prompt that pass `may` (chat, message), nearest first; none while its vector is not there.
    pub(crate) fn near(self, prompt: &str, may: &dyn Fn(Id, Id) -> bool) -> Vec<NearMessage> {
        let prompt = prompt.trim();
        self.known.with_value(|known| {
            let mut prompts = known.prompts.iter();
            let vector = prompts.find(|(text, _)| text == prompt);
            let near = vector.map(|(_, vector)| known.index.rank(vector, may));
            near.unwrap_or_default()
        })
    }

    /// Whether the vector of a prompt is there.
    pub(crate) fn has_prompt_vector(self, prompt: &str) -> bool {
        let prompt = prompt.trim();
        let is_prompt = |(text, _): &(String, QuantizedVector)| text == prompt;
        self.known
            .with_value(|known| known.prompts.iter().any(is_prompt))
    }

    /// Asks for the vector of a prompt, one at a time: while a request runs, only the last prompt waits. A request that
    /// runs is not ended for a newer one, since Ollama would begin anew to load the model.
    pub(crate) fn request_vector(self, prompt: &str) {
        let prompt = prompt.trim();
        let is_useless = self.known.with_value(|known| known.index.is_empty());
        if is_useless
            || prompt.is_empty()
            || self.has_prompt_vector(prompt)
            || !self.can_request()
            || !self.may_have_drafts.get_untracked()
            || self.is_paused()
        {
            return;
        }
        self.timers.cancel();
        let (abort, registration) = AbortHandle::new_pair();
        let work = self.known.try_update_value(|known| {
            known.next_prompt = Some(prompt.to_owned());
            if known.asking.is_some() {
                return None;
            }
            known.asking = Some(abort);
            // The person waits for this one, and for the work of idle times no one does.
            Some(known.work.take())
        });
        let Some(work) = work.flatten() else {
            return;
        };
        if let Some(work) = work {
            work.abort();
        }
        self.edges.spawn_abortable(registration, async move {
            let ended = self.answer_prompts().await;
            self.known.update_value(|known| known.asking = None);
            self.record_result(ended);
            self.update();
        });
    }

    async fn answer_prompts(self) -> Result<(), Fault> {
        let model = self.model().await?;
        let next = || {
            self.known
                .try_update_value(|known| known.next_prompt.take())
        };
        while let Some(prompt) = next().flatten() {
            if let Some(vector) = self.vector_of(&model, &prompt).await? {
                self.known.update_value(|known| {
                    known.prompts.truncate(MAX_PROMPTS - 1);
                    known.prompts.push_front((prompt, vector));
                });
                self.bump_revision();
            }
        }
        Ok(())
    }

    async fn vector_of(
        self,
        model: &ActiveModel,
        prompt: &str,
    ) -> Result<Option<QuantizedVector>, Fault> {
        let parts = text_parts(prompt).into_iter();
        let texts = parts.map(|part| with_prefix(&model.id.name, TextKind::Prompt, part));
        let mark = untrack(|| self.engine().draft_mark(model.id.engine.as_deref()));
        let vectors = self.request_vectors(model, texts.collect(), Some(mark));
        let vectors = vectors.await?;
        Ok(mean_direction(&vectors))
    }

    /// Whether a message has its vector.
    #[must_use]
    pub fn has_vector(self, chat: Id, message: Id) -> bool {
        self.known
            .with_value(|known| known.index.contains(chat, message))
    }
}
