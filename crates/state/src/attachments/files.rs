//! The text of files: how much of the model's context it takes, and putting it into the prompt.

use super::Attachments;
use crate::overflow::{Overflow, OverflowSource};
use reactive_graph::prelude::*;
use sash_chat::TextFile;
use sash_chat::window::{ContextFit, Size};
use sash_words::t;

impl Attachments {
    /// The estimated tokens of a text.
    pub fn tokens_of(self, text: &str) -> u64 {
        self.steering().estimate.get().part(Size::of(text))
    }

    /// The tokens that are left in the model's context for a file, beside the present request and an answer, and whether
    /// the context is known: while the model is not loaded it is assumed.
    pub fn room_for_file(self) -> (u64, bool) {
        let (context, is_known) = self.steering().reckoned_context();
        let taken = self.steering().fit.get().1 + ContextFit::answer(context);
        (context.saturating_sub(taken), is_known)
    }

    /// The context length that would hold a file of so many tokens besides, if the model can have it.
    pub fn context_for_file(self, tokens: u64) -> Option<u64> {
        let overflow = Overflow {
            chat: self.chats().open_id(),
            asked: OverflowSource::Draft,
            tokens: self.steering().fit.get().1 + tokens,
            context: self.steering().reckoned_context().0,
            guessed: true,
        };
        self.steering().larger_context(&overflow)
    }

    /// Sets the context length of the model from now on.
    pub fn raise_context(self, tokens: u64) {
        self.steering().raise_context(tokens);
    }

    /// Adds a file to the prompt, after the files that it has.
    pub fn put_into_prompt(self, name: String, text: String) {
        self.drafts()
            .files
            .update(|files| files.push(TextFile { name, text }));
        self.notices().announce(t!(state.file_added_to_the_prompt));
    }
}
