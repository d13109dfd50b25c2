//! Which messages before the prompt go to the model. Data only; `window::select` applies it.

use serde::{Deserialize, Serialize};

/// A rule for the window. It belongs to the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The last so many messages before the prompt. Nought means none.
    Messages(u32),
}

impl Default for Policy {
    fn default() -> Self {
        Policy::Messages(3)
    }
}
