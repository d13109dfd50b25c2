//! Recall: which older messages go with a prompt, the choice of it, and what was recalled for a question.

mod choice;
mod draft_lines;
mod found_words;
mod mention_lines;
mod queued_lines;
mod recall_section;
mod recalled_note;
mod search_result;
mod search_tab;
mod version_lines;

use crate::ui::stores::use_stores;
pub use choice::RecallChoice;
pub use draft_lines::RecallLines;
pub use found_words::FoundWords;
use leptos::prelude::*;
pub use mention_lines::MentionLines;
pub use queued_lines::QueuedRecalls;
pub use recall_section::RecallSection;
pub use recalled_note::RecalledNote;
use sash_state::Stores;
use sash_stores::hooks::Command;
use sash_words::t;
pub use search_tab::{SearchTab, search_command};
pub use version_lines::VersionRecalls;

/// Begins to read all chats once *All chats* is opened, whichever tab of it.
pub fn index_when_opened(stores: Stores) {
    Effect::new(move || {
        if stores.kernel().view().all_chats_tab.read().is_some() {
            untrack(|| stores.all_chats().begin());
        }
    });
}

/// Recalls the message that is suggested.
pub fn include_command() -> Command {
    let mentions = use_stores().mentions();
    let words = || t!(commands.include_the_suggested_message);
    let command = Command::new("include-suggestion", words, move || {
        _ = mentions.accept_offer();
    });
    let can = move || mentions.offered().is_some();
    command.with_keys("alt+i").when(can)
}
