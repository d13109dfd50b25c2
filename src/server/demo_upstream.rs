//! The built-in demo as an upstream: the stand-in Ollama on its own loopback port, used through the same
//! client as a real one.

use crate::server::ollama::{Address, Ollama};
use ollama_double::{Config, StandIn};
use std::fmt;
use std::io;

/// A running demo. Dropping it stops it.
pub struct Demo {
    client: Ollama,
    _server: StandIn,
}

impl fmt::Debug for Demo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demo").finish_non_exhaustive()
    }
}

impl Demo {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start() -> io::Result<Self> {
        let server = StandIn::start(Config::demo())?;
        let client = Ollama::new(Address::local(server.address())).map_err(io::Error::other)?;
        Ok(Self {
            client,
            _server: server,
        })
    }

    /// The client of the demo.
    #[must_use]
    pub fn client(&self) -> &Ollama {
        &self.client
    }
}
