//! The stores over the page in memory.

mod earlier_questions;
mod saved_prompts;
