//! The exact size of a prompt in tokens.

use serde::{Deserialize, Serialize};

/// The response of `POST /api/v1/count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedPrompt {
    /// The tokens that the model would read, those of its template included; absent where the engine cannot count this
    /// request, because it leaves images out of its count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}
