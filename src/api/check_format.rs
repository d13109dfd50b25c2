//! `POST /api/v1/check_format`: whether a text is a JSON schema, and whether an answer fits it.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::{FormatCheck, FormatReport};

/// Checks a schema, and an answer against it.
///
/// # Errors
/// [`sash_wire::Fault::InvalidField`] for a schema that is none, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "check_format", input = Json, client = TokenClient)]
pub async fn check_format(
    #[server(flatten)] request: FormatCheck,
) -> Result<FormatReport, ApiError> {
    Ok(crate::server::format::check(request).await?)
}
