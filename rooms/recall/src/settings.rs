//! The model that makes vectors.

use reactive_stores::{Patch, Store};
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of vectors.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct EmbeddingSettings {
    /// The key of the model that makes vectors of messages for recall; `None`: messages are found by words alone.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub embedding_model: Option<String>,
    /// Whether the chosen model may read messages.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub embedding_start: EmbeddingStart,
}

impl SettingsPart for EmbeddingSettings {}

/// Whether the embedding model may read messages that the person sent to others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmbeddingStart {
    /// An earlier version did not ask: only a model whose engine may have drafts does.
    #[default]
    Unasked,
    /// It was chosen, and the person has not started it.
    Waiting,
    /// The person started it, for the engine at the address with this digest.
    Started(String),
}
