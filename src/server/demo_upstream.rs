//! The built-in demo as an upstream: the stand-in Ollama on a loopback port of its own, talked to by
//! the same client as a real one.

use crate::server::ollama::Ollama;
use std::io;

/// A running demo.
#[derive(Debug)]
pub struct Demo {
    client: Ollama,
}

impl Demo {
    /// Starts it.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start() -> io::Result<Self> {
        Err(io::Error::other("the demo is not in this build"))
    }

    /// The client that talks to it.
    #[must_use]
    pub fn client(&self) -> &Ollama {
        &self.client
    }
}
