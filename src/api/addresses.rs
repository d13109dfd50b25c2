//! `POST /api/v1/addresses`: where other machines of the network find the page.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::NetworkAddresses;

/// Tells the addresses of the page in the network.
///
/// # Errors
/// Those of the guard.
#[server(prefix = "/api/v1", endpoint = "addresses", input = Json, client = TokenClient)]
pub async fn addresses() -> Result<NetworkAddresses, ApiError> {
    let listen = crate::server::context::state()?;
    let caller = crate::server::context::caller();
    Ok(crate::server::addresses::of_page(listen, caller))
}
