//! `POST /api/v1/unload`: unloads a model from memory.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::ModelRequest;
use sash_server::api::{ApiError, TokenClient};

/// Unloads a model. What it is answering ends.
///
/// # Errors
/// [`sash_wire::Fault::InvalidModelName`], [`sash_wire::Fault::ModelNotFound`], that
/// Ollama is unreachable, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "unload", input = Json, client = TokenClient)]
pub async fn unload(#[server(flatten)] request: ModelRequest) -> Result<(), ApiError> {
    let app = sash_server::context::app()?;
    Ok(crate::server::manage::unload(&app, request).await?)
}
