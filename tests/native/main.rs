//! The native integration tests, as one program: linking it is most of what it costs.
//!
//! | module | what it tests |
//! | --- | --- |
//! | `server` | the complete server over real HTTP, with the stand-in Ollama |
//! | `install` | the command of README that fetches Sash |
//! | `prompt` | the prompt on its way to the model |
//! | `recordings` | the stand-in against recorded exchanges of a real Ollama |
//! | `build_script` | what a build knows of its commit |
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod build_script;
mod common;
#[cfg(unix)]
mod install;
mod prompt;
mod recordings;
mod server;
