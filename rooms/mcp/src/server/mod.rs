//! The Model Context Protocol: other programs ask the models of this machine through Sash, over HTTP at `POST /mcp`
//! ([`http`], with `--mcp`) or as a child process ([`stdio`], `sash mcp`). The protocol is rmcp's work.
//!
//! [`tools`] are what a client can call, with their [`arguments`] and [`results`] (a chat as [`chat_page`]s); a failed
//! call says why ([`tool_error`]). [`ask`] answers a question on the way of the page's prompts and tells its
//! [`progress`]. Clients have no log of their own, so their [`chats`] are kept here, in [`memory`] alone and within
//! limits. Over HTTP a client has a session ([`sessions`]). An id that runs is refused, and a call ends with its session
//! and with its reader ([`calls`]).

mod arguments;
mod ask;
mod calls;
mod chat_page;
mod chats;
pub mod http;
mod http_refusal;
mod memory;
mod message;
mod progress;
mod results;
mod sessions;
pub mod stdio;
mod stdio_transport;
mod tool_error;
mod tools;

pub use memory::ChatMemoryLimits;
