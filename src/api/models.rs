//! `POST /api/v1/models`: the models that can answer.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{FaultBody, JsonAnswer, ModelList, UpstreamRequest};

/// Lists the models, newest first.
///
/// # Errors
/// [`sash_wire::Fault`], mostly that Ollama is not reachable.
#[server(prefix = "/api/v1", endpoint = "models", input = Json, client = super::PageClient, output = JsonAnswer)]
pub async fn models(#[server(flatten)] request: UpstreamRequest) -> Result<ModelList, FaultBody> {
    crate::server::catalogue::models(request.upstream).await
}
