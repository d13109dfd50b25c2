//! The Model Context Protocol: other programs ask the models of this machine through Sash.
#![cfg(not(target_arch = "wasm32"))]

mod server;

pub use server::{ChatMemoryLimits, http, stdio};
