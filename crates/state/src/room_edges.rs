//! What each room needs of its environment, until each room makes its stores itself.

use crate::backup::BackupEdges;
use crate::models::ModelCalls;

/// The edges of the rooms, a field for each.
pub struct RoomEdges {
    /// The folders of the backup.
    pub backup: BackupEdges,
    /// Loads, deletes and pulls models.
    pub models: ModelCalls,
}
