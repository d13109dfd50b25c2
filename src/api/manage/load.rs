//! `POST /api/v1/load`: loads a model into memory.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::LoadRequest;
use sash_server::api::{ApiError, TokenClient};

/// Loads a model and returns once it is in memory, which may take minutes. Dropping the call ends the
/// request.
///
/// # Errors
/// [`sash_wire::Fault::InvalidModelName`], [`sash_wire::Fault::ModelNotFound`], that
/// Ollama is unreachable, and those of the guard; [`sash_wire::Fault::OutOfMemory`],
/// [`sash_wire::Fault::ModelFailed`] if it fails otherwise, [`sash_wire::Fault::Unsupported`] for a
/// model that cannot chat, [`sash_wire::Fault::OllamaBusy`], [`sash_wire::Fault::TooManyAnswers`],
/// [`sash_wire::Fault::OllamaSilent`].
#[server(prefix = "/api/v1", endpoint = "load", input = Json, client = TokenClient)]
pub async fn load(#[server(flatten)] request: LoadRequest) -> Result<(), ApiError> {
    let app = sash_server::context::app()?;
    Ok(crate::server::manage::load(&app, request).await?)
}
