//! The stores of one tab: the kernel's, and those of what is added.

use crate::{Adding, Pastes};
use sash_chat::Id;
use sash_harness::{Machine, reactive_in};
use std::ops::Deref;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// Images and files that are added.
    pub adding: Adding,
    /// Long texts that are pasted.
    pub pastes: Pastes,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let of_kernel = sash_harness::House::reopened(machine, remembered);
        Self {
            of_kernel,
            adding: Adding::new(of_kernel.kernel),
            pastes: Pastes::new(of_kernel.kernel),
        }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(|machine| House::reopened(machine, None), test);
}
