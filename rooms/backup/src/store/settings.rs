//! The settings of the backup: where it is, and what this browser does with it.

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
    /// The key of the server's directory; empty: the person gave none.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backup_key: String,
    /// The directory of this device that the person chose; `None`: none.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backup_folder: Option<Id>,
    /// The key that seals what this browser writes into it; empty: it has written nothing yet.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub device_key: String,
    /// Whether this browser takes over what others write.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub in_step: bool,
    /// When everything was in the backup last, in milliseconds since 1970; 0: never.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub backed_up: u64,
    /// Whether the person was asked what becomes of the chats that the backup has and this browser has not.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub no_offer: bool,
    /// Whether the person wants no reminder that the key is missing.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub no_key_reminder: bool,
}

impl SettingsPart for BackupSettings {}
