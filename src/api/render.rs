//! `POST /api/v1/render`: a prompt and its window in, the text that the model would read out.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{ChatRequest, Rendered};

/// Shows the prompt after the model's chat template. Takes what [`response`](fn@super::response) takes, loads the model
/// if need be, and generates nothing.
///
/// # Errors
/// Any [`sash_wire::Fault`] of a prompt, and [`sash_wire::Fault::CannotRender`].
#[server(prefix = "/api/v1", endpoint = "render", input = Json, client = TokenClient)]
pub async fn render(#[server(flatten)] request: ChatRequest) -> Result<Rendered, ApiError> {
    let app = crate::server::context::app()?;
    let _permit = crate::server::context::permit()?;
    Ok(crate::server::render::render(&app, request).await?)
}
