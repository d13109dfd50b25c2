//! `POST /api/v1/render`: returns the text that the model would read for a prompt and its window.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{ChatRequest, Rendered};

/// Renders the prompt with the model's chat template. Takes the same request as
/// [`response`](fn@super::response), loads the model if necessary, and generates nothing.
///
/// # Errors
/// Any [`sash_wire::Fault`] of a prompt, [`sash_wire::Fault::DraftRefused`], [`sash_wire::Fault::CannotRender`], and
/// [`sash_wire::Fault::TooManyAnswers`].
#[server(prefix = "/api/v1", endpoint = "render", input = Json, client = TokenClient)]
pub async fn render(#[server(flatten)] request: ChatRequest) -> Result<Rendered, ApiError> {
    let app = crate::context::app()?;
    let caller = crate::context::caller();
    Ok(crate::render::render(&app, request, caller).await?)
}
