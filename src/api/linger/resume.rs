//! `POST /api/v1/resume`: the rest of an answer whose page was gone.

use crate::api::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::ResumeRequest;

/// Streams the frames of an answer behind those that the page has, and then live ones up to the
/// last, as [`response`](fn@crate::api::response) does. Dropping the stream does not stop the model.
///
/// # Errors
/// [`sash_wire::Fault::UnknownAnswer`], [`sash_wire::Fault::AnswerStopped`], and
/// [`sash_wire::Fault::InvalidField`] if the answer has fewer frames.
#[server(prefix = "/api/v1", endpoint = "resume", input = Json, output = Streaming, client = TokenClient)]
pub async fn resume(
    #[server(flatten)] request: ResumeRequest,
) -> Result<ByteStream<ApiError>, ApiError> {
    let app = crate::server::context::app()?;
    let keep_alive = app.stream_timeouts().keep_alive;
    let answers: std::sync::Arc<crate::server::linger::KeptAnswers> =
        crate::server::context::state()?;
    let reader = answers.resume(request, keep_alive)?;
    Ok(ByteStream::from(reader.into_stream()))
}
