//! `POST /api/v1/installed`: lists all installed models.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{ModelList, UpstreamRequest};

/// Lists the installed models, embedding models included, newest first.
///
/// # Errors
/// Any [`sash_wire::Fault`], usually that Ollama is unreachable.
#[server(prefix = "/api/v1", endpoint = "installed", input = Json, client = TokenClient)]
pub async fn installed(#[server(flatten)] request: UpstreamRequest) -> Result<ModelList, ApiError> {
    let app = crate::context::app()?;
    Ok(crate::catalogue::installed(&app, &request).await?)
}
