//! The client of one Ollama: the requests, and the parsing of replies.
//!
//! The set of calls is closed: chat, pull, tags, show, ps, version, delete. Of the browser's request only parsed
//! fields are sent upstream.

pub mod body;
mod chat_lines;
pub mod chat_template;
mod client;
mod engine;
mod field_error;
pub mod line;
mod model_facts;
mod refusal;
pub mod reply;

pub use body::SHIFT;
pub use client::Ollama;
pub use engine::{OllamaEngine, OllamaParser};
pub use refusal::{OllamaRequestContext, error_of, from_error};

pub use crate::engine::{Address, AddressError};
