//! The faults of the backup.

use sash_wire::{Fault, RoomFaults};
use sash_words::t;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can go wrong between a browser and the directory of the backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackupFault {
    /// 404 `backup_off`: Sash was started without a directory for the backup.
    #[serde(rename = "backup_off")]
    Off,
    /// 403 `backup_locked`: the key of the backup is missing or wrong.
    #[serde(rename = "backup_locked")]
    Locked,
    /// 404 `not_in_backup`: the directory does not have this copy or image.
    #[serde(rename = "not_in_backup")]
    Absent,
    /// 409 `backup_newer`: a newer Sash wrote the file, which is left as it is.
    #[serde(rename = "backup_newer")]
    Newer,
    /// 413 `backup_too_long`: the file is longer than a file may be, or a line of it.
    #[serde(rename = "backup_too_long")]
    TooLong,
    /// 507 `backup_failed`: the directory cannot be written or read. What was there before is there still.
    #[serde(rename = "backup_failed")]
    Failed {
        /// Why.
        #[serde(default)]
        problem: BackupProblem,
    },
}

/// Why the directory of the backup cannot be written or read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupProblem {
    /// The disk is full.
    Full,
    /// The system refuses access, or the disk can only be read.
    Denied,
    /// The directory is not there any more.
    Gone,
    /// The directory has other things in it and is no backup.
    NotEmpty,
    /// Something in the directory is a link, or no file where one should be.
    NotPlain,
    /// Anything else.
    #[default]
    #[serde(other)]
    Other,
}

/// A fault in words, wherever the backup says one. No answer runs here whose text would be kept.
pub(crate) fn fault_words(fault: &Fault) -> String {
    match fault {
        Fault::ConnectionLost => t!(backup.fault_unreachable).to_owned(),
        fault => fault.to_string(),
    }
}

impl From<BackupProblem> for BackupFault {
    fn from(problem: BackupProblem) -> Self {
        Self::Failed { problem }
    }
}

impl RoomFaults for BackupFault {
    fn status(&self) -> u16 {
        match self {
            Self::Locked => 403,
            Self::Off | Self::Absent => 404,
            Self::Newer => 409,
            Self::TooLong => 413,
            Self::Failed { .. } => 507,
        }
    }
}

impl fmt::Display for BackupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => t!(backup.fault_off),
            Self::Locked => t!(backup.fault_key_wrong),
            Self::Absent => t!(backup.fault_absent),
            Self::Newer => t!(backup.fault_newer),
            Self::TooLong => t!(backup.fault_too_long),
            Self::Failed { problem } => match problem {
                BackupProblem::Full => t!(backup.fault_disk_full),
                BackupProblem::Denied => t!(backup.fault_denied),
                BackupProblem::Gone => t!(backup.fault_directory_gone),
                BackupProblem::NotEmpty => t!(backup.fault_directory_foreign),
                BackupProblem::NotPlain => t!(backup.fault_not_plain),
                BackupProblem::Other => t!(backup.fault_failed),
            },
        })
    }
}
