//! The prompts that wait for the end of an answer.

mod queue_list;
mod queue_recalls;
mod queue_row;

pub use queue_list::QueueList;
