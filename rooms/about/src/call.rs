//! `POST /api/v1/changelog`: what is new in the Sash that runs.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// The changelog that is built into the server, as Markdown, the newest version first.
///
/// # Errors
/// Those of the guard.
#[server(prefix = "/api/v1", endpoint = "changelog", input = Json, client = TokenClient)]
pub async fn changelog() -> Result<String, ApiError> {
    Ok(crate::server::changelog().to_owned())
}
