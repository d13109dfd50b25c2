//! `POST /api/v1/read`: has a model read a prompt before it is sent.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::{ReadRequest, ReadResult};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// Has the model read the prompt and write nothing, so that the engine has it in its cache. Dropping the call ends that;
/// so does a prompt. Nothing is loaded.
///
/// # Errors
/// Any [`sash_wire::Fault`] of a prompt, and [`sash_wire::Fault::DraftRefused`].
#[server(prefix = "/api/v1", endpoint = "read", input = Json, client = TokenClient)]
pub async fn read(#[server(flatten)] request: ReadRequest) -> Result<ReadResult, ApiError> {
    if !sash_server::context::said().contains_key(crate::READS_AHEAD) {
        return Ok(ReadResult::default());
    }
    let app = sash_server::context::app()?;
    let caller = sash_server::context::caller();
    let turns: std::sync::Arc<crate::server::ReadTurns> = sash_server::context::state()?;
    Ok(crate::server::read(&app, &turns, request, caller).await?)
}
