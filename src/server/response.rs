//! The response to a prompt: with an id its answer outlives the connection, without one it is the connection's.

use crate::server::answer::{answer, check, open};
use crate::server::app::App;
use bytes::Bytes;
use futures::stream::{BoxStream, StreamExt};
use sash_wire::{ChatRequest, Fault};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// The response to a prompt.
pub struct PromptResponse {
    /// The lines.
    pub lines: BoxStream<'static, Bytes>,
    /// Whether the server keeps the frames; `None` for a request without an id.
    pub is_kept: Option<bool>,
}

/// Answers a prompt of this client.
///
/// # Errors
/// Those of [`answer`], and those of [`KeptAnswers::begin`](crate::server::linger::KeptAnswers::begin) with an id.
pub async fn response(
    app: &Arc<App>,
    client: IpAddr,
    permit: OwnedSemaphorePermit,
    request: ChatRequest,
) -> Result<PromptResponse, Fault> {
    let Some(id) = request.answer_id else {
        let lines = answer(app, permit, request).await?.boxed();
        return Ok(PromptResponse {
            lines,
            is_kept: None,
        });
    };
    check(app, &request)?;
    let keep_alive = app.stream_timeouts().keep_alive;
    let shared = Arc::clone(app);
    let opening = async move { open(&shared, permit, request).await };
    let (reader, is_kept) = app.answers.begin(id, client, keep_alive, opening).await?;
    Ok(PromptResponse {
        lines: reader.into_stream().boxed(),
        is_kept: Some(is_kept),
    })
}
