//! Sash: a chat page for Ollama that shows exactly what the model sees.
//!
//! The chat itself is in the crates under `kernel/`, which name no room; here are the roots of the page and of the server, which
//! name all of them, and the rooms that have no crate yet. A module may use those above it in this list, never those below.
//!
//! | module | what it is for | target |
//! | --- | --- | --- |
//! | `server` | the rooms' part of the server, the flags and the configuration | native |
//! | [`api`] | the server functions of the rooms, one file each | both |
//! | [`pages`] | the pages over the chat, by their names | both |
//! | `program` | the root of the server: its rooms and their calls, start and stop | native |
//! | `browser` | the devices of rooms | wasm |
//! | `ui` | the root of the page, and the components of rooms, a folder for each | wasm |
#![recursion_limit = "256"]

pub mod api;
pub mod pages;

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(target_arch = "wasm32")]
pub mod ui;

#[cfg(not(target_arch = "wasm32"))]
pub mod program;
#[cfg(not(target_arch = "wasm32"))]
pub mod server;
