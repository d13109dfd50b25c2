//! `POST /api/v1/models`: lists the models that can chat.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{ModelList, UpstreamRequest};

/// Lists the models, newest first.
///
/// # Errors
/// Any [`sash_wire::Fault`], usually that Ollama is unreachable.
#[server(prefix = "/api/v1", endpoint = "models", input = Json, client = TokenClient)]
pub async fn models(#[server(flatten)] request: UpstreamRequest) -> Result<ModelList, ApiError> {
    let app = crate::context::app()?;
    Ok(crate::catalogue::models(&app, &request).await?)
}
