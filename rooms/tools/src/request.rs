//! The request for a calculation, and its result, as they cross.

use serde::{Deserialize, Serialize};

/// The request of `POST /api/v1/calculate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalculateRequest {
    /// The expression, as the model wrote it.
    pub expression: String,
}

/// What the model reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalculationResult {
    /// The result, or `Error: ` and what is wrong.
    pub result: String,
}
