//! The complete server over real HTTP, with the stand-in Ollama.

mod assets;
mod backup;
mod binary;
mod bodies;
mod cancel;
mod catalogue;
mod children;
mod count;
mod crowds;
mod embed;
mod engines;
mod extract;
mod faults;
mod guard;
mod highlight;
mod limits;
mod linger;
mod linger_memory;
mod llama_router;
mod llama_server;
mod manage;
mod mcp;
#[cfg(unix)]
mod opening;
mod options;
mod proxies;
mod read_ahead;
mod recorded;
mod refusals;
mod replies;
mod request_limits;
mod requests;
mod stopping;
mod token;
mod tools;
mod unsent;
