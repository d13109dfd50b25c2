//! The text of files: how much of the model's context it takes, and putting it into the prompt.

use super::Attachments;
use reactive_graph::prelude::*;
use sash_chat::file_block;
use sash_chat::window::{ContextFit, Size};

impl Attachments {
    /// The estimated tokens of a text.
    pub fn tokens_of(self, text: &str) -> u64 {
        self.steering.estimate.get().part(Size::of(text))
    }

    /// The tokens that are left in the model's context for a file, beside the present request and an answer;
    /// `None` while the context is not known.
    pub fn room_for_file(self) -> Option<u64> {
        let context = self.steering.context.get()?;
        let taken = self.steering.fit.get().1 + ContextFit::answer(context);
        Some(context.saturating_sub(taken))
    }

    /// Puts the text of a file into the prompt, before what is written there.
    pub fn put_into_prompt(self, label: &str, text: &str) {
        let block = file_block(label, text);
        self.drafts.draft.update(|draft| {
            let before = std::mem::take(draft);
            *draft = match before.trim().is_empty() {
                true => format!("{block}\n\n"),
                false => format!("{block}\n\n{before}"),
            };
        });
        self.notices.announce("File added to the prompt");
    }
}
