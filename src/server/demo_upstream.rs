//! The built-in demo as an engine: the stand-in Ollama on its own loopback port, used through the same
//! client as a real one.

use ollama_double::{Config, StandIn};
use sash_server::engines::ConfiguredEngine;
use sash_server::hooks::BuiltIn;
use sash_server::ollama::{Address, Ollama, OllamaEngine};
use sash_wire::EngineAction;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The name under which the page is told of the demo.
const NAME: &str = "demo";

/// The demo. Dropping it stops it.
#[derive(Default)]
pub struct Demo(Mutex<Option<(ConfiguredEngine, StandIn)>>);

impl fmt::Debug for Demo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demo").finish_non_exhaustive()
    }
}

impl BuiltIn for Demo {
    /// Starts it on a free port.
    fn engine(&self) -> io::Result<ConfiguredEngine> {
        let mut started = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((engine, _)) = &*started {
            return Ok(engine.clone());
        }
        let server = StandIn::start(Config::demo())?;
        let client = Ollama::new(Address::local(server.address())).map_err(io::Error::other)?;
        // Nothing could bring its one model back.
        let engine = OllamaEngine::new(NAME, client).without(EngineAction::Delete);
        let (engine, _) = started.insert((engine.into(), server));
        Ok(engine.clone())
    }
}
