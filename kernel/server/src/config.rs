//! The settings of a server.

use crate::engine::{Address, EngineConfig};
use crate::limits::Limits;
use sash_door::guard::{Proxies, Token};
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

/// The default port: S-A-S-H on a telephone keypad.
pub const PORT: u16 = 7274;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The first engine, which a request without an engine's name means.
    pub engine: EngineConfig,
    /// The other engines.
    pub more_engines: Vec<EngineConfig>,
    /// Whether the demo always answers.
    pub demo: bool,
    /// Further host names to answer under.
    pub allow_host: Vec<String>,
    /// Registries besides Ollama's own.
    pub allow_registry: Vec<String>,
    /// The proxies whose forwarding headers are trusted.
    pub trust_proxy: Proxies,
    /// The token that every request must carry.
    pub token: Option<Token>,
    /// The limits.
    pub limits: Limits,
}

impl Default for ServerConfig {
    /// The settings of `sash` without flags: this machine only, and Ollama at its usual address.
    fn default() -> Self {
        let ollama = SocketAddr::from((Ipv4Addr::LOCALHOST, 11434));
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            engine: EngineConfig::ollama(Address::local(ollama)),
            more_engines: Vec::new(),
            demo: false,
            allow_host: Vec::new(),
            allow_registry: vec!["hf.co".to_owned(), "huggingface.co".to_owned()],
            trust_proxy: Proxies::default(),
            token: None,
            limits: Limits::default(),
        }
    }
}

impl ServerConfig {
    /// All engines, the first one first.
    pub fn engines(&self) -> impl Iterator<Item = &EngineConfig> {
        std::iter::once(&self.engine).chain(&self.more_engines)
    }

    /// Warnings about the settings, as sentences for the person.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let addresses = self.engines().flat_map(|engine| engine.address.warnings());
        let keys = self.engines().filter(|engine| engine.sends_key_in_clear());
        let keys = keys.map(|engine| {
            let name = &engine.name;
            format!("The key of the engine “{name}” goes through the network unencrypted.")
        });
        addresses.cloned().chain(keys).collect()
    }
}

/// Why a setting is refused, as a sentence for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}
