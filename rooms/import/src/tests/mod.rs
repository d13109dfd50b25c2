//! The store over the page in memory.

mod archives;
#[path = "../../../../crates/chat-exports/tests/archives/zip.rs"]
mod zip;

use crate::Imports;
use sash_harness::{Machine, reactive_in};
use sash_records::KINDS;
use std::ops::Deref;

/// The stores of one tab: the kernel's, and the import.
#[derive(Clone, Copy)]
struct House {
    of_kernel: sash_harness::House,
    imports: Imports,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    fn new(machine: &Machine) -> Self {
        let (of_kernel, imports) =
            sash_harness::House::with_room(machine, None, KINDS, Imports::new);
        Self { of_kernel, imports }
    }
}

/// Runs a test of the stores of a new tab.
fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
