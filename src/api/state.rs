//! `POST /api/v1/state`: whether Ollama answers, where, its version, and what it has in memory.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{OllamaState, UpstreamRequest};

/// Looks for Ollama. That it does not answer is a state, not an error.
///
/// # Errors
/// None of its own; the guard's.
#[server(prefix = "/api/v1", endpoint = "state", input = Json, client = TokenClient)]
pub async fn state(#[server(flatten)] request: UpstreamRequest) -> Result<OllamaState, ApiError> {
    let app = crate::server::context::app()?;
    Ok(crate::server::catalogue::state(&app, request.upstream).await?)
}
