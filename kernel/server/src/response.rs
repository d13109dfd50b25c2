//! The response to a prompt: with an id, and a keeper, its answer outlives the connection; else it is the connection's.

use crate::answer::{answer, check, open};
use crate::app::App;
use bytes::Bytes;
use futures::FutureExt;
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

/// Answers a prompt of this client. One with an id is kept, if the server has a keeper.
///
/// # Errors
/// Those of [`answer`](crate::answer::answer), and those of [`Keeper::begin`](crate::hooks::Keeper::begin)
/// with an id.
pub async fn response(
    app: &Arc<App>,
    client: IpAddr,
    permit: OwnedSemaphorePermit,
    request: ChatRequest,
) -> Result<PromptResponse, Fault> {
    let id = request.answer_id;
    let Some((id, keeper)) = id.zip(app.hooks.keeper.clone()) else {
        let lines = answer(app, permit, request).await?.boxed();
        let is_kept = id.map(|_| false);
        return Ok(PromptResponse { lines, is_kept });
    };
    check(app, &request)?;
    let keep_alive = app.stream_timeouts().keep_alive;
    let shared = Arc::clone(app);
    let opening = async move { open(&shared, permit, request).await }.boxed();
    let (lines, is_kept) = keeper.begin(id, client, keep_alive, opening).await?;
    Ok(PromptResponse {
        lines,
        is_kept: Some(is_kept),
    })
}
