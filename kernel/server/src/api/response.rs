//! `POST /api/v1/response`: answers a prompt with its window as a stream of frames.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::ChatRequest;

/// Answers a prompt with `application/x-ndjson`, one [`sash_wire::Frame`] per line. Dropping the
/// stream stops the model, unless the request has an `answer_id` and the header
/// [`sash_wire::ANSWER_KEPT`] says `yes`.
///
/// # Errors
/// Any [`sash_wire::Fault`] that occurs before the first frame, with its status; a later fault is
/// the last frame.
#[server(prefix = "/api/v1", endpoint = "response", input = Json, output = Streaming, client = TokenClient)]
pub async fn response(
    #[server(flatten)] request: ChatRequest,
) -> Result<ByteStream<ApiError>, ApiError> {
    let app = crate::context::app()?;
    let client = crate::context::client()?;
    let permit = crate::context::permit()?;
    let response = crate::response::response(&app, client, permit, request).await?;
    crate::context::set_kept(response.is_kept);
    Ok(ByteStream::from(response.lines))
}
