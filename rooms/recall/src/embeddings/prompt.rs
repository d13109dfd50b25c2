//! The vector of the prompt, and the messages near it.

use super::{Embeddings, VectorCache};
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
            let mut prompts = known.prompts.iter();
            let (_, vector) = prompts.find(|(text, _)| text == prompt.trim())?;
            Some(known.index.rank(vector.as_ref()?, may))
        })
    }

    /// Asks for the vector of a prompt, one at a time. A request that runs is not ended for a newer one, since Ollama would
    /// begin anew to load the model; once it has ended, the prompt of that moment is asked for by who follows [`Self::news`].
    pub(crate) fn request_vector(self, prompt: &str) {
        let prompt = prompt.trim().to_owned();
        let is_useless = |known: &VectorCache| {
            known.index.is_empty() || known.prompts.iter().any(|(text, _)| *text == prompt)
        };
        if prompt.is_empty()
            || self.known.with_value(is_useless)
            || !self.is_wanted.get_untracked()
            || !self.may_have_drafts.get_untracked()
            || !self.rest_of_pause().is_zero()
            || untrack(|| self.prompt.is_running())
        {
            return;
        }
        self.prompt
            .start(self.vector_of(prompt.clone()), move |vector| match vector {
                Ok(vector) => {
                    self.known.update_value(|known| {
                        known.prompts.truncate(MAX_PROMPTS - 1);
                        known.prompts.push_front((prompt, vector));
                    });
                    self.news.notify();
                }
                Err(fault) => self.pause(fault),
            });
    }

    /// The vector of a prompt; `None` if the model makes no usable one.
    async fn vector_of(self, prompt: String) -> Result<Option<QuantizedVector>, Fault> {
        let model = self.model().await?;
        let parts = text_parts(&prompt).into_iter();
        let texts = parts.map(|part| with_prefix(&model.id.name, TextKind::Prompt, part));
        let mark = untrack(|| self.engine().draft_mark(model.id.engine.as_deref()));
        let vectors = self.request_vectors(&model, texts.collect(), Some(mark));
        Ok(mean_direction(&vectors.await?))
    }

    /// Whether a message has its vector.
    #[must_use]
    pub fn has_vector(self, chat: Id, message: Id) -> bool {
        self.known
            .with_value(|known| known.index.contains(chat, message))
    }
}
