//! `POST /api/v1/pull`: the name of a model in, a stream of progress out.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::PullRequest;

/// Pulls a model: `application/x-ndjson`, one [`sash_wire::PullFrame`] a line. Dropping the stream
/// stops the pull; what is there already is used by the next one.
///
/// # Errors
/// Any [`sash_wire::Fault`] that is known before the first frame.
#[server(prefix = "/api/v1", endpoint = "pull", input = Json, output = Streaming, client = TokenClient)]
pub async fn pull(
    #[server(flatten)] request: PullRequest,
) -> Result<ByteStream<ApiError>, ApiError> {
    let app = crate::server::context::app()?;
    let lines = crate::server::pull::pull(&app, request).await?;
    Ok(ByteStream::from(lines))
}
