//! `POST /api/v1/pull`: downloads a model and streams the progress.

use crate::api::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_calls::{ModelFault, PullRequest};

/// Pulls a model and streams `application/x-ndjson`, one [`sash_calls::PullFrame`] per line.
/// Dropping the stream stops the pull; Ollama resumes from the downloaded parts at the next one.
///
/// # Errors
/// Any [`sash_wire::Fault`] that occurs before the first frame.
#[server(prefix = "/api/v1", endpoint = "pull", input = Json, output = Streaming, client = TokenClient)]
pub async fn pull(
    #[server(flatten)] request: PullRequest,
) -> Result<ByteStream<ApiError<ModelFault>>, ApiError<ModelFault>> {
    let app = crate::server::context::app()?;
    let turns = crate::server::context::state()?;
    let lines = crate::server::pull::pull(&app, &turns, request).await?;
    Ok(ByteStream::from(lines))
}
