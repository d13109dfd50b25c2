//! Store of edited answers and forks.

mod edited_answers;
mod forks;

use reactive_graph::owner::expect_context;
use sash_chat::{Chat, Id};
use sash_stores::{Kernel, uses};

/// Copies a chat up to the message `Id`; arguments: creation time, generator of new ids. `None` if the message is not in it.
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
