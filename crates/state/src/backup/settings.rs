//! The settings of the backup: where it is.

use reactive_stores::{Patch, Store};
use sash_chat::Id;
use sash_stores::SettingsPart;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// The settings of the backup.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct BackupSettings {
    /// The key of the backup's folder; empty: the person gave none.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backup_key: String,
    /// The folder of this device that the person chose for the backup; `None`: none.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backup_folder: Option<Id>,
    /// Whether this browser takes over what others write into the backup's folder.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub in_step: bool,
    /// When everything was in the backup last, in milliseconds since 1970; 0: never.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backed_up: u64,
}

impl SettingsPart for BackupSettings {}
