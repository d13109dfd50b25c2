//! The rooms' parts of the server ([`sash_server`] is the chat's), its flags and configuration. [`crate::program`] puts them
//! together.
//!
//! Server functions of rooms ([`crate::api`]) call plain functions ([`embed`]); those that use an
//! engine are given the shared [`App`](sash_server::app::App). Of conversations nothing is stored but, in memory, the answers
//! that outlive their page for a while (room `linger`) and the chats of MCP clients (room `mcp`), and with `--backup`, in a
//! folder, the chats that the page hands over ([`backup`]).

pub mod args;
pub mod backup;
pub mod config;
pub mod demo_upstream;
pub mod embedded_client;
pub mod room_limits;
