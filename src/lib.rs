//! Sash: a chat page for Ollama that shows exactly what the model sees.
//!
//! The chat itself is in the crates under `kernel/`, which name no room, its features in those under `rooms/`, of which none
//! names another. Here are the roots of the page and of the server, which name all of them, and nothing else.
//!
//! | module | what it is for | target |
//! | --- | --- | --- |
//! | [`pages`] | the pages over the chat, by their names | both |
//! | `program` | the server: its rooms and their calls, flags, start and stop | native |
//! | `app` | the page: its rooms, and what stands in its places; with `all_commands` and `all_settings` | wasm |
//! | `start` | the start of the page, and its log | wasm |
#![recursion_limit = "256"]

pub mod pages;

#[cfg(target_arch = "wasm32")]
mod all_commands;
#[cfg(target_arch = "wasm32")]
mod all_settings;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
pub mod start;

#[cfg(not(target_arch = "wasm32"))]
pub mod program;
