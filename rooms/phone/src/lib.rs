//! The page on a phone: its address in the network, or the command that starts Sash for the network.

mod call;
mod network_addresses;

#[cfg(not(target_arch = "wasm32"))]
mod server;

#[cfg(target_arch = "wasm32")]
mod view;

pub use network_addresses::NetworkAddresses;
#[cfg(not(target_arch = "wasm32"))]
pub use server::own_address;
#[cfg(target_arch = "wasm32")]
pub use view::{PhoneDialog, phone_command};

/// Adds the server function of a server that listens here.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, listen: std::net::SocketAddr) {
    calls.provide(listen);
    calls.add::<call::Addresses>(sash_server::calls::Rules::NONE);
}
