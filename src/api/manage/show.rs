//! `POST /api/v1/show`: the template, licence and other texts of a model.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::ModelRequest;
use sash_server::api::{ApiError, TokenClient};
use sash_wire::ModelDetails;

/// The texts of one model.
///
/// # Errors
/// [`sash_wire::Fault::InvalidModelName`], [`sash_wire::Fault::ModelNotFound`], that
/// Ollama is unreachable, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "show", input = Json, client = TokenClient)]
pub async fn show(#[server(flatten)] request: ModelRequest) -> Result<ModelDetails, ApiError> {
    let app = sash_server::context::app()?;
    Ok(crate::server::manage::show(&app, request).await?)
}
