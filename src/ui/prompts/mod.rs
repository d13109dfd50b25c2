//! The prompts that a person keeps: editing one, filling in the placeholders of one, and the list in the settings.

mod edit_dialog;
mod fill_dialog;
mod section;

use crate::ui::stores::use_stores;
pub use edit_dialog::PromptEditDialog;
pub use fill_dialog::FillDialog;
use sash_state::hooks::{Command, On};
use sash_words::t;
pub use section::PromptsSection;

/// The name of the command that keeps what is written.
pub const KEEP: &str = "keep-prompt";

/// Keeps what is written as a prompt.
pub fn keep_command() -> Command {
    let prompts = use_stores().prompts();
    Command {
        on: On::Chat,
        ..Command::new(
            KEEP,
            || t!(palette.keep_as_a_prompt),
            move || prompts.keep_written(),
        )
    }
}
