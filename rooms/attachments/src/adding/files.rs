//! The text of files: how much of the model's context it takes, and putting it into the prompt.

use super::Adding;
use reactive_graph::prelude::*;
use sash_chat::TextFile;
use sash_chat::window::ContextFit;
use sash_stores::{Overflow, OverflowSource};
use sash_words::t;

impl Adding {
    /// The tokens that are left in the model's context for a file, beside the present request and an answer, and whether
    /// the context is known: while the model is not loaded it is assumed.
    pub fn room_for_file(self) -> (u64, bool) {
        let (context, is_known) = self.kernel.steering().reckoned_context();
        let taken = self.kernel.steering().fit.get().1 + ContextFit::answer(context);
        (context.saturating_sub(taken), is_known)
    }

    /// The context length that would hold a file of so many tokens besides, if the model can have it.
    pub fn context_for_file(self, tokens: u64) -> Option<u64> {
        let overflow = Overflow {
            chat: self.kernel.chats().open_id(),
            asked: OverflowSource::Draft,
            tokens: self.kernel.steering().fit.get().1 + tokens,
            context: self.kernel.steering().reckoned_context().0,
            guessed: true,
        };
        self.kernel.steering().larger_context(&overflow)
    }

    /// Sets the context length of the model from now on.
    pub fn raise_context(self, tokens: u64) {
        self.kernel.steering().raise_context(tokens);
    }

    /// Adds a file to the prompt, after the files that it has.
    pub fn put_into_prompt(self, name: String, text: String) {
        self.kernel
            .drafts()
            .files
            .update(|files| files.push(TextFile { name, text }));
        self.kernel
            .notices()
            .announce(t!(attachments.file_added_to_the_prompt));
    }
}
