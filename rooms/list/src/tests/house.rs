//! The stores of one tab: the kernel's, and the list.

use crate::ChatList;
use sash_chat::Id;
use sash_harness::{Machine, reactive_in};
use sash_log::Kinds;
use std::ops::Deref;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The list of chats.
    pub list: ChatList,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a new tab; Ollama answered once and has one model.
    pub fn new(machine: &Machine) -> Self {
        Self::reopened(machine, None)
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let (of_kernel, list) =
            sash_harness::House::with_room(machine, remembered, Kinds::default(), ChatList::new);
        Self { of_kernel, list }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}

/// Runs a test with a second tab, opened when both have the chat "Hi" with its answer.
pub fn two_tabs(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        test(machine, house, &there, other);
    });
}
