//! The complete server over real HTTP, with the stand-in Ollama.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;

mod assets;
mod binary;
mod bodies;
mod cancel;
mod catalogue;
mod crowds;
mod embed;
mod engines;
mod extract;
mod faults;
mod guard;
mod highlight;
mod limits;
mod llama_server;
mod manage;
mod mcp;
mod proxies;
mod recorded;
mod refusals;
mod request_limits;
mod requests;
mod stopping;
mod token;
mod tools;
