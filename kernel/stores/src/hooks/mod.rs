//! Hooks, by which stores hear of each other without naming each other: what is registered here is typed, there may be many, and each
//! ends with the owner that registered it.

mod commands;
mod events;
mod holds;
mod registered;
mod takers;
mod turns;
mod undo;

pub use commands::{Command, Commands};
pub use events::Events;
pub use holds::Holds;
pub(crate) use registered::Registered;
pub use takers::Takers;
pub use turns::{EngineUsers, Urgency};
pub use undo::{UndoEntry, UndoId};
