//! What a page exchanges the code of its address for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// The answer of `POST /api/v1/exchange`. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// What opens this Sash in the place of its token, if that was made at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Those of rooms, by their names: `backup_key`, if this Sash keeps a backup.
    #[serde(flatten)]
    pub of_rooms: Map<String, Value>,
}

impl fmt::Debug for PageSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageSecrets(…)")
    }
}
