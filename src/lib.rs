//! Sash: a chat page for Ollama that shows exactly what the model sees.
//!
//! The house, from the ground up. A module may use those above it in this list, never those below.
//!
//! | module | what it is for | target |
//! | --- | --- | --- |
//! | [`json`] | reading JSON by hand, which keeps the page small | both |
//! | [`chat`] | what a conversation is: messages, the tree of branches, policy and receipt as data | both |
//! | [`window`] | what the model sees: `select` and the token estimate | both |
//! | [`log`] | how the log is kept: records, checksums, the tail of a running answer, over a `Store` | both |
//! | [`markdown`] | answer text to blocks to a tree of nodes, a block at a time | both |
//! | [`formula`] | formulas in TeX to a closed set of MathML elements | both |
//! | [`search`] | finding a message among all messages of all chats | both |
//! | [`wire`] | what crosses between browser and server: requests, frames, faults, the line decoder | both |
//! | [`api`] | the server functions, one file each | both |
//! | `browser` | the edges of the page: storage, clock, ids, clipboard | wasm |
//! | `server` | the edges of the server: guard, assets, configuration, the Ollama client, the demo | native |
//! | `ui` | the components, one folder for each room of the page | wasm |
//!
//! `window`, `log`, `markdown`, `formula`, `search` and `wire` know only `chat` and `json`, not one another.
#![recursion_limit = "256"]

pub mod api;
pub mod chat;
pub mod formula;
pub mod json;
pub mod log;
pub mod markdown;
pub mod search;
pub mod window;
pub mod wire;

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(target_arch = "wasm32")]
pub mod ui;

#[cfg(not(target_arch = "wasm32"))]
pub mod server;
