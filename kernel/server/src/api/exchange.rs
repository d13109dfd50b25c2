//! `POST /api/v1/exchange`: what the code of an address is for.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::PageSecrets;

/// Gives the token and the secrets of rooms for the code of an address that Sash printed or opened. A code opens one page;
/// its second use ends what the first one gave.
///
/// # Errors
/// [`sash_wire::Fault::AddressExpired`], [`sash_wire::Fault::OpenedTwice`] and [`sash_wire::Fault::TooManyAttempts`].
#[server(prefix = "/api/v1", endpoint = "exchange", input = Json, client = TokenClient)]
pub async fn exchange(code: String) -> Result<PageSecrets, ApiError> {
    let client = crate::context::client()?;
    let codes: Option<std::sync::Arc<crate::one_time_codes::OneTimeCodes>> =
        crate::context::state()?;
    let codes = codes.ok_or(sash_wire::Fault::AddressExpired)?;
    Ok(codes.exchange(&code, client).await?)
}
