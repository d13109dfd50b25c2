//! The server of the chat: what the page asks of it, and the way of a prompt to an engine and of the answer back. It names no
//! room: what a room does with prompts and answers stands behind [`hooks`], what it can be asked behind [`calls`].
//!
//! | module | what it is for | target |
//! | --- | --- | --- |
//! | [`api`] | the server functions, one file each, and the client that calls them | both |
//! | `router` | the routes, behind the guard of [`sash_door`] | native |
//! | `calls`, `context` | the way into a server function: its rules, and the state that it finds | native |
//! | `caller` | how a request reached the server | native |
//! | `answer`, `response`, `answer_now`, `render` | what is done with a prompt | native |
//! | `catalogue` | the models and the state of an engine | native |
//! | `app`, `config`, `limits`, `turns` | the state shared by all requests, its settings and limits | native |
//! | `unsent`, `unsent_budget` | what holds of text that was not sent | native |
//! | `relay` | passes the stream of an engine on to the page | native |
//! | `engines` | the engines of the configuration, by name | native |
//! | `engine`, `engine_flags` | what an engine is, and the flags that name some | native |
//! | `ollama`, `openai` | the two kinds of engines | native |
//! | `listeners` | who listens on a port of this machine | native |
//! | `one_time_codes` | the codes of addresses | native |
//! | `hooks` | what rooms do with prompts and answers | native |
//!
//! Of conversations nothing is stored here.

pub mod api;

#[cfg(not(target_arch = "wasm32"))]
pub mod answer;
#[cfg(not(target_arch = "wasm32"))]
pub mod answer_now;
#[cfg(not(target_arch = "wasm32"))]
pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod caller;
#[cfg(not(target_arch = "wasm32"))]
pub mod calls;
#[cfg(not(target_arch = "wasm32"))]
pub mod catalogue;
#[cfg(not(target_arch = "wasm32"))]
pub mod config;
#[cfg(not(target_arch = "wasm32"))]
pub mod context;
#[cfg(not(target_arch = "wasm32"))]
pub mod engine;
#[cfg(not(target_arch = "wasm32"))]
pub mod engine_flags;
#[cfg(not(target_arch = "wasm32"))]
pub mod engines;
#[cfg(not(target_arch = "wasm32"))]
pub mod hooks;
#[cfg(not(target_arch = "wasm32"))]
pub mod limits;
#[cfg(not(target_arch = "wasm32"))]
pub mod listeners;
#[cfg(not(target_arch = "wasm32"))]
pub mod ollama;
#[cfg(not(target_arch = "wasm32"))]
pub mod one_time_codes;
#[cfg(not(target_arch = "wasm32"))]
pub mod openai;
#[cfg(not(target_arch = "wasm32"))]
pub mod relay;
#[cfg(not(target_arch = "wasm32"))]
pub mod render;
#[cfg(not(target_arch = "wasm32"))]
pub mod response;
#[cfg(not(target_arch = "wasm32"))]
pub mod router;
#[cfg(not(target_arch = "wasm32"))]
pub mod turns;
#[cfg(not(target_arch = "wasm32"))]
pub mod unsent;
#[cfg(not(target_arch = "wasm32"))]
pub mod unsent_budget;
