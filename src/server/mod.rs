//! The edges of the server: configuration, guard, router, assets, the Ollama client, and the demo.

pub mod answer;
pub mod catalogue;
pub mod demo;
pub mod pull;
