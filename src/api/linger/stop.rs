//! `POST /api/v1/stop`: stops an answer by its id.

use crate::api::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::StopRequest;

/// Stops an answer at the engine and forgets its frames, also if its request has not arrived yet.
/// The response says nothing about whether there was one.
///
/// # Errors
/// Those of the guard.
#[server(prefix = "/api/v1", endpoint = "stop", input = Json, client = TokenClient)]
pub async fn stop(#[server(flatten)] request: StopRequest) -> Result<(), ApiError> {
    let answers: std::sync::Arc<crate::server::linger::KeptAnswers> =
        crate::server::context::state()?;
    let client = crate::server::context::client()?;
    answers.stop(client, request);
    Ok(())
}
