//! The server's half: what an engine does with one installed model, and pulls.

mod llama_router;
mod manage;
mod pull;

pub use manage::{delete, load, show, unload};
pub use pull::{RunningPulls, pull};
