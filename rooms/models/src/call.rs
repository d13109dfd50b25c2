//! The server functions about one model.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::{LoadRequest, ModelFault, ModelRequest};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
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
    Ok(crate::server::show(&app, request).await?)
}

/// Loads a model and returns once it is in memory, which may take minutes. Dropping the call ends the
/// request.
///
/// # Errors
/// Those of [`show`](fn@show); [`sash_wire::Fault::OutOfMemory`],
/// [`sash_wire::Fault::ModelFailed`] if it fails otherwise, [`sash_wire::Fault::Unsupported`] for a
/// model that cannot chat, [`sash_wire::Fault::OllamaBusy`], [`sash_wire::Fault::TooManyAnswers`],
/// [`sash_wire::Fault::OllamaSilent`].
#[server(prefix = "/api/v1", endpoint = "load", input = Json, client = TokenClient)]
pub async fn load(#[server(flatten)] request: LoadRequest) -> Result<(), ApiError> {
    let app = sash_server::context::app()?;
    Ok(crate::server::load(&app, request).await?)
}

/// Unloads a model. What it is answering ends.
///
/// # Errors
/// Those of [`show`](fn@show).
#[server(prefix = "/api/v1", endpoint = "unload", input = Json, client = TokenClient)]
pub async fn unload(#[server(flatten)] request: ModelRequest) -> Result<(), ApiError> {
    let app = sash_server::context::app()?;
    Ok(crate::server::unload(&app, request).await?)
}

/// Deletes a model. Nothing undoes that.
///
/// # Errors
/// Those of [`show`](fn@show); [`ModelFault::DeleteFailed`] if Ollama refuses.
#[server(prefix = "/api/v1", endpoint = "delete", input = Json, client = TokenClient)]
pub async fn delete(#[server(flatten)] request: ModelRequest) -> Result<(), ApiError<ModelFault>> {
    let app = sash_server::context::app()?;
    Ok(crate::server::delete(&app, request).await?)
}

/// Pulls a model and streams `application/x-ndjson`, one [`crate::PullFrame`] per line.
/// Dropping the stream stops the pull; Ollama resumes from the downloaded parts at the next one.
///
/// # Errors
/// Any [`sash_wire::Fault`] that occurs before the first frame.
#[server(prefix = "/api/v1", endpoint = "pull", input = Json, output = Streaming, client = TokenClient)]
pub async fn pull(
    #[server(flatten)] request: ModelRequest,
) -> Result<ByteStream<ApiError<ModelFault>>, ApiError<ModelFault>> {
    let app = sash_server::context::app()?;
    let running = sash_server::context::state()?;
    let lines = crate::server::pull(&app, &running, request).await?;
    Ok(ByteStream::from(lines))
}
