//! All stores of one tab: the kernel's with its helpers, and those of the rooms.

use crate::machine::Machine;
use import::Imports;
use sash_chat::Id;
use sash_harness::{reactive_in, settle};
use sash_records::KINDS;
use sash_state::AllStores;
use sash_stores::{RememberedTab, StorageState};
use std::ops::Deref;
use storage::Library;
use tools::Tools;

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The stores of the rooms.
    pub rooms: AllStores,
    /// Search and recall, which are a crate of their own.
    pub recall: recall::Stores,
    /// The import, which is a crate of its own, too.
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
        let house = Self::starting(machine, remembered);
        settle();
        house
    }

    /// The same before anything that waits has gone on.
    pub fn starting(machine: &Machine, remembered: Option<Id>) -> Self {
        let tab = RememberedTab {
            chat: remembered,
            panel_shown: false,
        };
        let rooms = AllStores::new(
            machine.edges(),
            machine.room_edges(),
            machine.log(KINDS),
            StorageState::default(),
            tab,
        );
        let recall = recall::Stores::new(rooms.kernel, machine.embedding_edges());
        let imports = Imports::new(rooms.kernel);
        export::count_imports(rooms.kernel, move || imports.is_done());
        rooms.kernel.start();
        Self {
            of_kernel: rooms.kernel.into(),
            rooms,
            recall,
            imports,
        }
    }

    /// The actions on all chats of this tab, which are a crate of their own.
    pub fn library(self) -> Library {
        Library::new(self.kernel, |message| message.content.clone())
    }

    /// Plans the import of what is chosen in the folder of the backup.
    pub fn plan_chosen(self) {
        let chosen = self.rooms.bring_back.take_chosen();
        self.imports.read_parts(chosen.expect("a list"));
    }

    /// Gives this tab the tools, which are a crate of their own.
    pub fn use_tools(self, machine: &Machine) -> Tools {
        Tools::new(self.kernel, machine.calculator())
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
