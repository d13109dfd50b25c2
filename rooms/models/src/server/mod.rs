//! The server's half: what an engine does with one installed model, and pulls.

mod llama_router;
mod manage;
mod pull;

pub use manage::{delete, load, show, unload};
pub use pull::{RunningPulls, pull};

/// Writes a frame of a pull as a line.
fn push(frame: &crate::PullFrame, out: &mut String) {
    out.push_str(&serde_json::to_string(frame).unwrap_or_default());
    out.push('\n');
}
