//! The choice of the embedding model.

use super::{EmbeddingState, Embeddings, VectorCache};
use crate::{EmbeddingSettingsStoreFields, EmbeddingStart};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_stores::same_model;
use sash_wire::{EngineAction, Fault, ModelInfo, Upstream, UpstreamRequest};

/// Counts the ways in which messages are cut and prefixed: vectors that were made in another way are made anew.
const TEXT_FORM: u32 = 3;

/// The chosen model, found among the installed ones.
#[derive(Clone, Debug)]
pub(super) struct ActiveModel {
    pub(super) id: ModelId,
    /// What its vectors are kept under: its digest where that is known, since a model that is pulled anew may be
    /// another one.
    pub(super) kept_under: String,
}

impl Embeddings {
    /// Asks which models can be chosen.
    pub fn list(self) {
        let ticket = self.offered.begin();
        self.edges.spawn(async move {
            let mut all = Vec::new();
            for engine in untrack(|| self.engine().all_that_can(EngineAction::Embed)) {
                all.extend(self.models_of(engine).await.unwrap_or_default());
            }
            ticket.write(Some(all));
        });
    }

    /// The models of an engine that embed. Models of Ollama's cloud are not among them: all messages would leave this
    /// machine by themselves.
    async fn models_of(self, engine: Option<String>) -> Result<Vec<ModelInfo>, Fault> {
        let request = UpstreamRequest {
            upstream: Upstream::Configured,
            engine,
        };
        let list = self.edges.transport().installed.send(request);
        let mut models = list.await?.models;
        models.retain(|model| model.embeds() && !model.remote);
        Ok(models)
    }

    /// Chooses the model by its key, or none. The vectors of the former one are deleted. It reads nothing before the person
    /// [starts](Self::start_reading) it.
    pub fn choose(self, key: Option<String>) {
        let former = self.settings.current.embedding_model();
        if former.with_untracked(|former| *former == key) {
            return;
        }
        self.settings.change(|settings| {
            settings.embedding_model = key;
            settings.embedding_start = EmbeddingStart::Waiting;
        });
        self.follow();
        let clear = self.vectors.get_value().clear();
        self.edges.spawn(clear);
    }

    /// Follows the choice, which may have been made in another tab, and what decides whether its model reads.
    pub(super) fn follow(self) {
        let key = self.settings.current.embedding_model().get_untracked();
        if self.known.with_value(|known| known.key != key) {
            self.prompt.stop();
            self.messages.stop();
            self.known.update_value(|known| {
                *known = VectorCache {
                    key,
                    ..VectorCache::default()
                };
            });
            self.state.set(EmbeddingState::Idle);
            self.news.notify();
        }
        self.update();
    }

    /// The chosen model.
    ///
    /// # Errors
    /// Why the list of models is not to be had, and [`Fault::ModelNotFound`].
    pub(super) async fn model(self) -> Result<ActiveModel, Fault> {
        // After a failure it may be gone, or another one of that name.
        let sure = |known: &VectorCache| known.model.clone().filter(|_| known.pause.is_zero());
        if let Some(model) = self.known.with_value(sure) {
            return Ok(model);
        }
        let chosen = self.known.with_value(|known| known.key.clone());
        let id = ModelId::from(chosen.as_deref().unwrap_or_default());
        let models = self.models_of(id.engine.clone()).await?;
        let mut models = models.into_iter();
        let Some(found) = models.find(|model| same_model(&model.name, &id.name)) else {
            return Err(Fault::ModelNotFound { model: id.name });
        };
        let name = found.digest.unwrap_or_else(|| id.key().into_owned());
        let model = ActiveModel {
            id,
            kept_under: format!("{name}/{TEXT_FORM}"),
        };
        self.known.update_value(|known| {
            let former = known.model.as_ref();
            if former.is_some_and(|former| former.kept_under != model.kept_under) {
                *known = VectorCache {
                    key: known.key.take(),
                    ..VectorCache::default()
                };
            }
            known.model = Some(model.clone());
        });
        Ok(model)
    }
}
