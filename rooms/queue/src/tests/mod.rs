//! The queue over the page in memory.

mod house;
mod queue;
