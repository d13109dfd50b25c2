//! `POST /api/v1/count`: the number of tokens of a prompt and its window, without generating.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};
use sash_wire::{ChatRequest, CountedPrompt};

/// Has the engine count the tokens of a prompt. Takes the same request as [`response`](fn@sash_server::api::response), and neither
/// loads a model nor reads the prompt with it.
///
/// # Errors
/// Any [`sash_wire::Fault`] of a prompt, [`sash_wire::Fault::DraftRefused`], and [`sash_wire::Fault::NotOffered`] for an
/// engine that does not count.
#[server(prefix = "/api/v1", endpoint = "count", input = Json, client = TokenClient)]
pub async fn count(#[server(flatten)] request: ChatRequest) -> Result<CountedPrompt, ApiError> {
    let app = sash_server::context::app()?;
    let caller = sash_server::context::caller();
    Ok(crate::server::count(&app, &request, caller).await?)
}
