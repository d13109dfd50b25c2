//! Checking a schema, and an answer against it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The request of `POST /api/v1/check_format`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormatCheck {
    /// A JSON schema.
    pub schema: Value,
    /// The answer to be checked against it; `None` checks the schema alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatReport {
    /// Where the answer does not fit the schema: a path and what is wrong there, a line each. Only
    /// the first few are reported.
    pub misfits: Vec<String>,
}
