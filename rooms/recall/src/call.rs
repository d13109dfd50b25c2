//! `POST /api/v1/embed`: vectors of texts.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::EmbedRequest;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};
use sash_wire::Embedded;

/// The vectors of some texts, made by an embedding model of an Ollama. Nothing is generated, and nothing is kept.
///
/// # Errors
/// [`sash_wire::Fault::InvalidField`] for too many or too long texts, [`sash_wire::Fault::Unsupported`] for a model that
/// makes none, [`sash_wire::Fault::NotOffered`] for an engine that is not Ollama,
/// [`sash_wire::Fault::DraftRefused`], [`sash_wire::Fault::TooManyAnswers`], that Ollama is unreachable, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "embed", input = Json, client = TokenClient)]
pub async fn embed(#[server(flatten)] request: EmbedRequest) -> Result<Embedded, ApiError> {
    let app = sash_server::context::app()?;
    let caller = sash_server::context::caller();
    Ok(crate::server::embed(&app, request, caller).await?)
}
