//! `POST /api/v1/response`: answers a prompt with its window as a stream of frames.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::ChatRequest;

/// Answers a prompt with `application/x-ndjson`, one [`sash_wire::Frame`] per line. Dropping the
/// stream stops the model.
///
/// # Errors
/// Any [`sash_wire::Fault`] that occurs before the first frame, with its status; a later fault is
/// the last frame.
#[server(prefix = "/api/v1", endpoint = "response", input = Json, output = Streaming, client = TokenClient)]
pub async fn response(
    #[server(flatten)] request: ChatRequest,
) -> Result<ByteStream<ApiError>, ApiError> {
    let app = crate::server::context::app()?;
    let permit = crate::server::context::permit()?;
    let lines = crate::server::answer::answer(&app, permit, request).await?;
    Ok(ByteStream::from(lines))
}
