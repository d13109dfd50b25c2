//! `POST /api/v1/response`: a prompt and its window in, a stream of frames out.

use leptos::prelude::*;
use leptos::server_fn::codec::{ByteStream, Json, Streaming};
use sash_wire::{ChatRequest, FaultBody};

/// Answers a prompt: `application/x-ndjson`, one [`sash_wire::Frame`] a line.
///
/// # Errors
/// Any [`sash_wire::Fault`] that is known before the first frame, with its status; later ones are
/// the last frame.
#[server(prefix = "/api/v1", endpoint = "response", input = Json, client = super::PageClient, output = Streaming)]
pub async fn response(
    #[server(flatten)] request: ChatRequest,
) -> Result<ByteStream<FaultBody>, FaultBody> {
    crate::server::answer::answer(request).await
}
