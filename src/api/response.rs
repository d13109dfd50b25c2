//! `POST /api/v1/response`: a prompt and its window in, a stream of frames out.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::ChatRequest;

/// Answers a prompt: `application/x-ndjson`, one [`sash_wire::Frame`] a line. Dropping the stream stops the model.
///
/// # Errors
/// Any [`sash_wire::Fault`] that is known before the first frame, with its status; later ones are
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
