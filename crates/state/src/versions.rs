//! Versions by the person: answers that were changed, and branches that go on in a chat of their own.

mod edited_answers;
mod forks;

use sash_stores::{Chats, Kernel};

/// Makes versions of what was said.
#[derive(Clone, Copy)]
pub struct Versions {
    kernel: Kernel,
}

impl Versions {
    /// Creates the store.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel }
    }

    fn chats(self) -> Chats {
        self.kernel.chats()
    }
}
