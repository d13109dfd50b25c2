//! What a page exchanges the code of its address for.

use crate::BackupKey;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer of `POST /api/v1/exchange`. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// What opens this Sash in the place of its token, if that was made at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The key of the backup, if this Sash keeps one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup_key: Option<BackupKey>,
}

impl fmt::Debug for PageSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageSecrets(…)")
    }
}
