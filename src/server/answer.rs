//! From a prompt to a stream of frames.
use crate::wire::{ChatRequest, Fault, FaultBody};
use leptos::server_fn::codec::ByteStream;
/// Answers.
pub async fn answer(_request: ChatRequest) -> Result<ByteStream<FaultBody>, FaultBody> {
    Err(Fault::Internal {}.into())
}
