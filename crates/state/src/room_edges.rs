//! What each room needs of its environment, until each room makes its stores itself.

use crate::backup::BackupEdges;

/// The edges of the rooms, a field for each.
pub struct RoomEdges {
    /// The folders of the backup.
    pub backup: BackupEdges,
}
