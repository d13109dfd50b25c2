//! The demo as an engine: an Ollama of its own on a loopback port, used through the same client as a real one.

mod answer;
mod keep_alive;
mod language;
mod ollama;
mod prompt;

use sash_server::engines::ConfiguredEngine;
use sash_server::hooks::BuiltIn;
use sash_server::ollama::{Address, Ollama, OllamaEngine};
use sash_wire::EngineAction;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Mutex, PoisonError};
use tokio::task::JoinSet;

/// The name under which the page is told of the demo.
const NAME: &str = "demo";

/// The demo. Dropping it stops it.
#[derive(Debug, Default)]
pub struct Demo(Mutex<Option<(ConfiguredEngine, JoinSet<io::Result<()>>)>>);

impl BuiltIn for Demo {
    /// Starts it on a free port.
    fn engine(&self) -> io::Result<ConfiguredEngine> {
        let mut started = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((engine, _)) = &*started {
            return Ok(engine.clone());
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut server = JoinSet::new();
        server.spawn(async move { axum::serve(listener, ollama::router(address)).await });
        let client = Ollama::new(Address::local(address)).map_err(io::Error::other)?;
        // Nothing could bring its one model back.
        let engine = OllamaEngine::new(NAME, client).without(EngineAction::Delete);
        let (engine, _) = started.insert((engine.into(), server));
        Ok(engine.clone())
    }
}
