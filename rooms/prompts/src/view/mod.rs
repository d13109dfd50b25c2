//! The prompts that a person keeps: editing one, filling in the placeholders of one, and the list in the settings.

mod aside_line;
mod edit_dialog;
mod fill_dialog;
mod section;
mod slash_list;

pub use aside_line::AsideLine;
pub use edit_dialog::PromptEditDialog;
pub use fill_dialog::FillDialog;
pub use section::{PromptsSection, SAVED_PROMPTS};
pub use slash_list::SlashListbox;

use crate::SavedPrompts;
use sash_stores::hooks::Command;
use sash_words::t;

/// The name of the command that keeps what is written.
const KEEP: &str = "keep-prompt";

/// Keeps what is written as a prompt.
pub fn keep_command() -> Command {
    let prompts = SavedPrompts::expect();
    let words = || t!(prompts.save_as_prompt);
    Command::new(KEEP, words, move || prompts.keep_written()).of_chat()
}
