//! An engine as it is configured.

use super::{Address, ApiKey};

/// The most characters of an engine's name.
const MAX_NAME: usize = 40;

/// An engine of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Its name; the page knows nothing else of where it is.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// What it speaks.
    pub protocol: EngineProtocol,
}

/// The API that an engine speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineProtocol {
    /// Ollama's own.
    Ollama,
    /// The OpenAI chat API, with a key where the engine wants one.
    OpenAi(Option<ApiKey>),
}

impl EngineConfig {
    /// The name of an Ollama that was given none.
    pub const DEFAULT_NAME: &'static str = "ollama";

    /// An Ollama without a name of its own.
    #[must_use]
    pub fn ollama(address: Address) -> Self {
        Self {
            name: Self::DEFAULT_NAME.to_owned(),
            address,
            protocol: EngineProtocol::Ollama,
        }
    }
}

impl EngineConfig {
    /// Whether its key can be read by others on the way.
    #[must_use]
    pub fn sends_key_in_clear(&self) -> bool {
        let has_key = matches!(self.protocol, EngineProtocol::OpenAi(Some(_)));
        has_key && self.address.base().starts_with("http://") && !self.address.is_loopback()
    }
}

/// Whether a text can be an engine's name: letters, digits, `-`, `_` and `.`, at most 40 of them.
#[must_use]
pub fn is_engine_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(fits)
}
