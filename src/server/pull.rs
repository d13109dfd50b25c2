//! Pulls.
use crate::wire::{Fault, FaultBody, PullRequest};
use leptos::server_fn::codec::ByteStream;
/// Pulls.
pub async fn pull(_request: PullRequest) -> Result<ByteStream<FaultBody>, FaultBody> {
    Err(Fault::Internal {}.into())
}
