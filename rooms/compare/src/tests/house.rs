//! The stores of one tab: the kernel's, over a log that has the models that wait, and the one that compares.

use crate::Compare;
use sash_chat::Id;
use sash_harness::{Machine, reactive_in};
use sash_records::KINDS;
use std::ops::Deref;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The same question with another window or other models.
    pub compare: Compare,
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
        let (of_kernel, compare) =
            sash_harness::House::with_room(machine, remembered, KINDS, Compare::new);
        Self { of_kernel, compare }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
