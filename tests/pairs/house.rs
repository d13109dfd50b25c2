//! The stores of one tab: the kernel's with its helpers, and those of rooms that several tests use.

use crate::machine::Machine;
use import::Imports;
use sash_chat::Id;
use sash_harness::reactive_in;
use sash_records::KINDS;
use std::ops::Deref;
use storage::Library;
use tools::Tools;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// Search and recall.
    pub recall: recall::Stores,
    /// The import.
    pub imports: Imports,
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
        let (of_kernel, (recall, imports)) =
            sash_harness::House::with_room(machine, remembered, KINDS, |kernel| {
                let recall = recall::Stores::new(kernel, machine.embedding_edges());
                let imports = Imports::new(kernel);
                export::count_imports(kernel, move || imports.is_done());
                (recall, imports)
            });
        Self {
            of_kernel,
            recall,
            imports,
        }
    }

    /// The actions on all chats of this tab.
    pub fn library(self) -> Library {
        Library::new(self.kernel, |message| message.content.clone())
    }

    /// Gives this tab the tools.
    pub fn use_tools(self, machine: &Machine) -> Tools {
        Tools::new(self.kernel, machine.calculator())
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
