//! A model of several that has still to be asked for its answer to one question.

use sash_chat::{FieldRule, HeadField, Id, IdsThere, ImportedEntry, ModelId, SettingKind};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, apply};

/// What becomes of the models that wait.
pub const RULE: &FieldRule =
    &FieldRule::new("waiting_models").imported::<WaitingModel>(SettingKind::Model);

/// The models that questions have still to be asked of, in their order.
pub const WAITING_MODELS: HeadField<WaitingModel> = HeadField::new(RULE);

/// The longest name of a model that a file brings, in bytes.
const MAX_NAME: usize = 200;

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

impl ImportedEntry for WaitingModel {
    const MOST: usize = 16;

    fn for_chat(self, name: &IdsThere<'_>) -> Option<Self> {
        let question = name(self.question).filter(|_| self.model.len() <= MAX_NAME)?;
        Some(Self { question, ..self })
    }

    fn model(&self) -> Option<ModelId> {
        Some(self.model_id())
    }
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
