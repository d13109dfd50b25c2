//! The Model Context Protocol: other programs ask the models of this machine through Sash, over HTTP at `POST /mcp`
//! ([`http`], with `--mcp`) or as a child process ([`stdio`], `sash mcp`). The protocol is rmcp's work.
//!
//! [`tools`] are what a client can call, with their [`arguments`], [`results`] and [`schema`]; a failed call says why
//! ([`tool_error`]). [`ask`] answers a question on the way of the page's prompts and tells its [`progress`]. Clients have
//! no log of their own, so their [`chats`] are kept here, in [`memory`] alone and within limits; questions to one chat
//! take turns ([`queue`]). Over HTTP a client has a session ([`sessions`], [`session_table`]), and a call ends with its stream
//! ([`call_stream`]).

mod arguments;
mod ask;
mod call_stream;
mod chats;
pub mod http;
mod memory;
mod message;
mod progress;
mod queue;
mod results;
mod schema;
mod session_table;
mod sessions;
pub mod stdio;
mod stdio_transport;
mod tool_error;
mod tools;
