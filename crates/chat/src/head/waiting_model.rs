//! A model that has still to be asked.

use crate::{Id, ModelId};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, apply};

/// A model that a question of the chat has still to be asked of, besides those that answered it.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingModel {
    /// The question.
    pub question: Id,
    /// The model's name at its engine.
    pub model: String,
    /// The engine that has it; `None` is the first engine.
    pub engine: Option<String>,
}

impl WaitingModel {
    /// A question and the model that it waits for.
    #[must_use]
    pub fn new(question: Id, model: ModelId) -> Self {
        Self {
            question,
            model: model.name,
            engine: model.engine,
        }
    }

    /// The model, with its engine.
    #[must_use]
    pub fn model_id(&self) -> ModelId {
        ModelId::new(self.engine.as_deref(), &self.model)
    }
}
