//! What each room needs of its environment, until each room makes its stores itself.

use crate::backup::BackupEdges;
use crate::embeddings::EmbeddingEdges;

/// The edges of the rooms, a field for each.
pub struct RoomEdges {
    /// The folders of the backup.
    pub backup: BackupEdges,
    /// Makes and keeps vectors.
    pub recall: EmbeddingEdges,
}
