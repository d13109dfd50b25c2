//! What each room needs of its environment, until each room makes its stores itself.

use crate::backup::BackupEdges;
use crate::embeddings::EmbeddingEdges;
use crate::models::ModelCalls;
use sash_calls::{ReadRequest, ReadResult};
use sash_stores::edges::Call;

/// The edges of the rooms, a field for each.
pub struct RoomEdges {
    /// The folders of the backup.
    pub backup: BackupEdges,
    /// Loads, deletes and pulls models.
    pub models: ModelCalls,
    /// Has a model read a prompt before it is sent.
    pub read_ahead: Call<ReadRequest, ReadResult>,
    /// Makes and keeps vectors.
    pub recall: EmbeddingEdges,
}
