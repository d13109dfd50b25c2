//! `POST /api/v1/pull`: downloads a model and streams the progress.

use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_calls::{ModelFault, PullRequest};
use sash_server::api::{ApiError, TokenClient};

/// Pulls a model and streams `application/x-ndjson`, one [`sash_calls::PullFrame`] per line.
/// Dropping the stream stops the pull; Ollama resumes from the downloaded parts at the next one.
///
/// # Errors
/// Any [`sash_wire::Fault`] that occurs before the first frame.
#[server(prefix = "/api/v1", endpoint = "pull", input = Json, output = Streaming, client = TokenClient)]
pub async fn pull(
    #[server(flatten)] request: PullRequest,
) -> Result<ByteStream<ApiError<ModelFault>>, ApiError<ModelFault>> {
    let app = sash_server::context::app()?;
    let running = sash_server::context::state()?;
    let lines = crate::server::pull::pull(&app, &running, request).await?;
    Ok(ByteStream::from(lines))
}
