//! What a page exchanges the code of its address for.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The answer of `POST /api/v1/exchange`. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// What opens this Sash in the place of its token, if that was made at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// What else the page may need, by its name.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}

impl fmt::Debug for PageSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageSecrets(…)")
    }
}
