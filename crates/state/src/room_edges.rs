//! The edges of the rooms that have no crate yet.

use crate::backup::BackupEdges;

/// The edges of the rooms, a field for each.
pub struct RoomEdges {
    /// The folders of the backup.
    pub backup: BackupEdges,
}
