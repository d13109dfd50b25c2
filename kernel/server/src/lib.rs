//! The edges of the server: configuration, the Ollama client, and the demo. [`crate::program`] puts them together.
//!
//! What [`sash_door`] lets in is answered with a file ([`embedded_client`]), a server function, which finds the server
//! in its [`context`], or, with `--mcp`, the tools of [`mcp`]. Server functions call plain
//! functions ([`answer`], [`render`], [`pull`], [`catalogue`], [`highlight`], [`extract`],
//! [`calculate`], [`embed`]) with the shared [`app`]; those
//! send requests to one of the [`engines`] ([`ollama`], [`openai`]), whose stream a [`relay`] passes on. Of conversations nothing is
//! stored but, in memory, the answers that outlive their page for a while ([`linger`]) and the chats of MCP clients, and
//! with `--backup`, in a folder, the chats that the page hands over ([`backup`]).

pub mod addresses;
pub mod answer;
pub mod answer_now;
pub mod app;
pub mod args;
pub mod backup;
pub mod calculate;
pub mod caller;
pub mod calls;
pub mod catalogue;
pub mod config;
mod config_error;
pub mod context;
pub mod count;
pub mod demo_upstream;
pub mod embed;
pub mod embedded_client;
pub mod engine;
mod engine_flags;
pub mod engines;
pub mod extract;
pub mod highlight;
pub mod hooks;
pub mod limits;
pub mod linger;
pub mod listeners;
pub mod manage;
pub mod mcp;
pub mod mcp_limits;
pub mod ollama;
pub mod one_time_codes;
pub mod openai;
pub mod pull;
pub mod read_ahead;
pub mod read_turns;
pub mod relay;
pub mod render;
pub mod response;
pub mod room_limits;
pub mod turns;
pub mod unsent;
pub mod unsent_budget;
