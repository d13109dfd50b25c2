//! `POST /api/v1/state`: whether Ollama answers, its address, its version, and the models in
//! memory.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{OllamaState, UpstreamRequest};

/// Checks for Ollama. An Ollama that does not answer is a state, not an error.
///
/// # Errors
/// None of its own; only those of the guard.
#[server(prefix = "/api/v1", endpoint = "state", input = Json, client = TokenClient)]
pub async fn state(#[server(flatten)] request: UpstreamRequest) -> Result<OllamaState, ApiError> {
    let app = crate::server::context::app()?;
    Ok(crate::server::catalogue::state(&app, request.upstream).await?)
}
