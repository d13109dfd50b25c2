//! `POST /api/v1/addresses`: where other machines of the network find the page.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::network_addresses::NetworkAddresses;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// Tells the addresses of the page in the network.
///
/// # Errors
/// Those of the guard.
#[server(prefix = "/api/v1", endpoint = "addresses", input = Json, client = TokenClient)]
pub async fn addresses() -> Result<NetworkAddresses, ApiError> {
    let listen = sash_server::context::state()?;
    let caller = sash_server::context::caller();
    Ok(crate::server::of_page(listen, caller))
}
