//! `POST /api/v1/stop`: stops an answer by its id.

use super::{ApiError, TokenClient};
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
    let app = crate::context::app()?;
    let client = crate::context::client()?;
    if let Some(keeper) = &app.hooks.keeper {
        keeper.stop(client, request);
    }
    Ok(())
}
