//! The complete server over real HTTP, with the stand-in Ollama.

mod assets;
mod binary;
mod bodies;
mod cancel;
mod catalogue;
mod children;
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
