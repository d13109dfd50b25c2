//! Models and state.
use crate::wire::{Fault, FaultBody, ModelList, OllamaState, Upstream};
/// Models.
pub async fn models(_u: Upstream) -> Result<ModelList, FaultBody> {
    Err(Fault::Internal {}.into())
}
/// State.
pub async fn state(_u: Upstream) -> Result<OllamaState, FaultBody> {
    Err(Fault::Internal {}.into())
}
