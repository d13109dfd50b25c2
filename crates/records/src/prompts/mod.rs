//! Prompts that a person keeps under names.

mod log;
mod placeholders;
mod saved_prompt;

pub use log::{PROMPT, PromptLog};
pub use placeholders::{fill_placeholders, placeholders};
pub use saved_prompt::{MAX_PROMPT_NAME, MAX_SAVED_PROMPTS, SavedPrompt};
