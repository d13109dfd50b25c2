//! `POST /api/v1/state`: whether an engine answers, its version, the models in memory, and the names of all engines.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{EngineState, UpstreamRequest};

/// Checks for an engine. One that does not answer is a state, not an error.
///
/// # Errors
/// [`sash_wire::Fault::UnknownEngine`], and those of the guard.
#[server(prefix = "/api/v1", endpoint = "state", input = Json, client = TokenClient)]
pub async fn state(#[server(flatten)] request: UpstreamRequest) -> Result<EngineState, ApiError> {
    let app = crate::context::app()?;
    let caller = crate::context::caller();
    let said = crate::context::said();
    Ok(crate::catalogue::state(&app, &request, caller, said).await?)
}
