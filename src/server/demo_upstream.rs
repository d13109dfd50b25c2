//! The built-in demo as an engine: the stand-in Ollama on its own loopback port, used through the same
//! client as a real one.

use crate::server::engines::ConfiguredEngine;
use crate::server::ollama::{Address, Ollama, OllamaEngine};
use ollama_double::{Config, StandIn};
use sash_wire::EngineAction;
use std::fmt;
use std::io;

/// The name under which the page is told of the demo.
const NAME: &str = "demo";

/// A running demo. Dropping it stops it.
pub struct Demo {
    engine: ConfiguredEngine,
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
            // Nothing could bring its one model back.
            engine: OllamaEngine::new(NAME, client)
                .without(EngineAction::Delete)
                .into(),
            _server: server,
        })
    }

    /// The demo as an engine.
    #[must_use]
    pub fn engine(&self) -> &ConfiguredEngine {
        &self.engine
    }
}
