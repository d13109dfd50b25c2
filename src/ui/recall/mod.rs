//! Recall: which older messages go with a prompt, the choice of it, and what was recalled for a question.

mod choice;
mod draft_lines;
mod queue_lines;
mod recalled_note;
mod version_lines;

use crate::ui::stores::use_stores;
pub use choice::RecallChoice;
pub use draft_lines::RecallLines;
pub use queue_lines::QueueRecalls;
pub use recalled_note::RecalledNote;
use sash_state::hooks::Command;
use sash_words::t;
pub use version_lines::VersionRecalls;

/// Recalls the message that is suggested.
pub fn include_command() -> Command {
    let mentions = use_stores().mentions();
    let words = || t!(palette.include_the_suggested_message);
    Command {
        keys: "alt+i",
        can: Box::new(move || mentions.offered().is_some()),
        ..Command::new("include-suggestion", words, move || {
            _ = mentions.accept_offer()
        })
    }
}
