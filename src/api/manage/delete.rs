//! `POST /api/v1/delete`: deletes a model from Ollama.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{ModelFault, ModelRequest};
use sash_server::api::{ApiError, TokenClient};

/// Deletes a model. Nothing undoes that.
///
/// # Errors
/// [`sash_wire::Fault::InvalidModelName`], [`sash_wire::Fault::ModelNotFound`], that
/// Ollama is unreachable, and those of the guard; [`ModelFault::DeleteFailed`] if
/// Ollama refuses.
#[server(prefix = "/api/v1", endpoint = "delete", input = Json, client = TokenClient)]
pub async fn delete(#[server(flatten)] request: ModelRequest) -> Result<(), ApiError<ModelFault>> {
    let app = sash_server::context::app()?;
    Ok(crate::server::manage::delete(&app, request).await?)
}
