//! The edges of the server: configuration, guard, router, assets, the Ollama client, and the demo.
//!
//! A request comes in through [`accept`], passes the [`guard`], and is a file ([`assets`]) or a server
//! function ([`calls`]); those ask an [`ollama`], whose stream a [`relay`] passes on. What they share is
//! the [`app`]. Nothing of a conversation is kept.

pub mod accept;
mod announce;
pub mod answer;
pub mod app;
pub mod args;
pub mod arrivals;
pub mod assets;
pub mod body;
pub mod calls;
pub mod catalogue;
pub mod config;
pub mod connections;
pub mod context;
pub mod demo_upstream;
pub mod guard;
pub mod highlight;
pub mod limits;
pub mod ollama;
pub mod patient;
pub mod pull;
pub mod refusal;
pub mod relay;
pub mod render;
pub mod router;
mod run;
pub mod shape;
pub mod stop;

pub use run::{Running, StartError, main};
