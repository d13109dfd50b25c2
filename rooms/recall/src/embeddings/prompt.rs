//! The vector of the prompt, and the messages near it.

use super::model::ActiveModel;
use super::{Embeddings, VectorCache, Work};
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
    /// The messages near a prompt that pass `may` (chat, message), nearest first; `None` while its vector is not there.
    pub(crate) fn near(
        self,
        prompt: &str,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Option<Vec<NearMessage>> {
        self.known.with_value(|known| {
            let vector = known.vector_of(prompt.trim())?;
            Some(known.index.rank(vector, may))
        })
    }

    /// Asks for the vector of a prompt, one at a time: while a request runs, only the last prompt waits. A request that
    /// runs is not ended for a newer one, since Ollama would begin anew to load the model.
    pub(crate) fn request_vector(self, prompt: &str) {
        let prompt = prompt.trim();
        let is_useless =
            |known: &VectorCache| known.index.is_empty() || known.vector_of(prompt).is_some();
        if prompt.is_empty()
            || self.known.with_value(is_useless)
            || !self.can_request()
            || !self.may_have_drafts.get_untracked()
            || self.is_paused()
        {
            return;
        }
        let is_asking = self.known.try_update_value(|known| {
            known.next_prompt = Some(prompt.to_owned());
            matches!(known.running, Some((Work::Prompt, _)))
        });
        if is_asking == Some(false) {
            self.run(Work::Prompt);
        }
    }

    pub(super) async fn answer_prompts(self) -> Result<(), Fault> {
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
                self.news.notify();
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
