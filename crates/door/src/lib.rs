//! The door of a server: it knows nothing of what is served behind it.
//!
//! [`accept`] takes a connection, [`guard`] checks each request; [`assets`] answers it with a file, or [`body`] reads what
//! came with it, within its limits. [`refusal`] is the answer to what is refused. What a server keeps for itself alone, such as
//! a secret, is a file of [`disk`], often in the directory of [`state`]. What differs by operating system asks [`System`].

pub mod accept;
pub mod assets;
pub mod body;
pub mod body_guard;
mod clients;
mod connections;
pub mod disk;
pub mod guard;
pub mod json_shape;
pub mod limits;
pub mod pending_bodies;
pub mod random;
pub mod refusal;
pub mod state;
pub mod stop;
mod system;
mod write_timeout;

pub use system::System;
