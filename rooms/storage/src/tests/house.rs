//! The stores of one tab: the kernel's, and the actions on all chats.

use crate::Library;
use sash_chat::Message;
use sash_harness::{Machine, reactive_in};
use sash_records::KINDS;
use sash_search::{SearchQuery, Snippet};
use std::ops::Deref;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The actions on all chats.
    pub library: Library,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a new tab, whose trash names messages as the page does.
    pub fn new(machine: &Machine) -> Self {
        let first_words = |message: &Message| Snippet::of(message, &SearchQuery::default()).text;
        let (of_kernel, library) = sash_harness::House::with_room(machine, None, KINDS, |kernel| {
            Library::new(kernel, first_words)
        });
        Self { of_kernel, library }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
