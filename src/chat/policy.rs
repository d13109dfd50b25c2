//! Which messages before the prompt go to the model. Data only; `window::select` applies it.

use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// A rule for the window. It belongs to the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

impl FromJson for Policy {
    fn from_json(value: &Value) -> Option<Self> {
        value.number("messages").map(Policy::Messages)
    }
}

read_by_hand!(Policy);
