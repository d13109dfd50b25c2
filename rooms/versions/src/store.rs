//! Makes versions of what was said.

mod edited_answers;
mod forks;

use reactive_graph::owner::expect_context;
use sash_chat::{Chat, Id};
use sash_stores::{Kernel, uses};

/// Copies a chat up to a message into a new one, which was created then, with ids that it asks for. `None` if the chat does
/// not have the message.
pub type Fork = fn(&Chat, Id, u64, &mut dyn FnMut() -> Id) -> Option<Chat>;

/// Versions by the person.
#[derive(Clone, Copy)]
pub struct Versions {
    kernel: Kernel,
    fork: Fork,
}

uses!(Versions.kernel: notices storage chats);

impl Versions {
    /// Creates the store.
    #[must_use]
    pub fn new(kernel: Kernel, fork: Fork) -> Self {
        Self { kernel, fork }
    }

    /// The store of the page, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }
}
