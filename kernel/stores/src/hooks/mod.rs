//! Hooks, by which stores hear of each other without naming each other: what is registered here is typed, there may be many, and each
//! ends with the owner that registered it.

mod commands;
mod engine_users;
mod events;
mod holds;
mod registered;
mod takers;
mod undo;

pub use commands::{Command, Commands};
pub use engine_users::{EngineUsers, Urgency};
pub use events::Events;
pub use holds::Holds;
pub(crate) use registered::Registered;
pub use takers::Takers;
pub use undo::{UndoEntry, UndoId};
