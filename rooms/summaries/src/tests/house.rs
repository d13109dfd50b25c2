//! The stores of one tab: the kernel's and the summaries.

use crate::Summaries;
use sash_chat::Id;
use sash_harness::Machine;
use std::ops::Deref;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The summaries.
    pub summaries: Summaries,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    fn over(of_kernel: sash_harness::House) -> Self {
        let summaries = Summaries::new(of_kernel.kernel);
        Self {
            of_kernel,
            summaries,
        }
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        Self::over(sash_harness::House::reopened(machine, remembered))
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    sash_harness::reactive(|machine, house| test(machine, House::over(house)));
}
