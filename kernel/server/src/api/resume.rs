//! `POST /api/v1/resume`: the rest of an answer whose page was gone.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::ResumeRequest;

/// Streams the frames of an answer behind those that the page has, and then live ones up to the
/// last, as [`response`](fn@super::response) does. Dropping the stream does not stop the model.
///
/// # Errors
/// [`sash_wire::Fault::UnknownAnswer`], [`sash_wire::Fault::AnswerStopped`], and
/// [`sash_wire::Fault::InvalidField`] if the answer has fewer frames.
#[server(prefix = "/api/v1", endpoint = "resume", input = Json, output = Streaming, client = TokenClient)]
pub async fn resume(
    #[server(flatten)] request: ResumeRequest,
) -> Result<ByteStream<ApiError>, ApiError> {
    let app = crate::context::app()?;
    let keep_alive = app.stream_timeouts().keep_alive;
    let keeper = app.hooks.keeper.clone();
    let keeper = keeper.ok_or(sash_wire::Fault::UnknownAnswer)?;
    Ok(ByteStream::from(keeper.resume(request, keep_alive)?))
}
