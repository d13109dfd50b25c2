//! The addresses of the page in the network, as they cross.

use serde::{Deserialize, Serialize};

/// Where other machines of the network find the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkAddresses {
    /// Whether Sash listens where other machines can reach it, and not on a loopback address alone.
    pub listens_on_network: bool,
    /// The addresses of the page in the network, the likeliest first. Empty for a caller behind a proxy, who uses the
    /// proxy's address.
    pub origins: Vec<String>,
}
