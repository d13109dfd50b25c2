//! The faults of the backup.

use super::BackupProblem;
use sash_wire::RoomFaults;
use sash_words::t;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can go wrong between a browser and the folder of the backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackupFault {
    /// 404 `backup_off`: Sash was started without a folder for the backup.
    #[serde(rename = "backup_off")]
    Off,
    /// 403 `backup_locked`: the key of the backup's folder is missing or wrong.
    #[serde(rename = "backup_locked")]
    Locked,
    /// 404 `not_in_backup`: the folder does not have this chat or image.
    #[serde(rename = "not_in_backup")]
    Absent,
    /// 409 `backup_changed`: the chat's file is newer than the writer knows. Nothing was written.
    #[serde(rename = "backup_changed")]
    Changed {
        /// The version of the file.
        version: u64,
    },
    /// 409 `backup_newer`: a newer Sash wrote the chat's file, which is left as it is.
    #[serde(rename = "backup_newer")]
    Newer,
    /// 410 `backup_purged`: the chat was deleted for good from the folder, and is not written again.
    #[serde(rename = "backup_purged")]
    Purged,
    /// 507 `backup_failed`: the folder cannot be written or read. What was there before is there still.
    #[serde(rename = "backup_failed")]
    Failed {
        /// Why.
        #[serde(default)]
        problem: BackupProblem,
    },
}

impl RoomFaults for BackupFault {
    fn status(&self) -> u16 {
        match self {
            Self::Locked => 403,
            Self::Off | Self::Absent => 404,
            Self::Changed { .. } | Self::Newer => 409,
            Self::Purged => 410,
            Self::Failed { .. } => 507,
        }
    }
}

impl fmt::Display for BackupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => t!(wire.backup_off),
            Self::Locked => t!(wire.backup_key_wrong),
            Self::Absent => t!(wire.backup_lacks_this),
            Self::Changed { .. } => t!(wire.backup_is_newer),
            Self::Newer => t!(wire.backup_chat_newer_sash),
            Self::Purged => t!(wire.backup_chat_deleted),
            Self::Failed { problem } => match problem {
                BackupProblem::Full => t!(wire.backup_disk_full),
                BackupProblem::Denied => t!(wire.backup_no_permission),
                BackupProblem::Gone => t!(wire.backup_folder_gone),
                BackupProblem::NotEmpty => t!(wire.backup_folder_foreign),
                BackupProblem::Taken => t!(wire.backup_in_use),
                BackupProblem::NotPlain => t!(wire.backup_has_link),
                BackupProblem::Other => t!(wire.backup_failed),
            },
        })
    }
}
