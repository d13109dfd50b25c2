//! The prompts that wait for the end of an answer, above the field.

mod queue_list;
mod queue_row;

pub use queue_list::QueueList;
