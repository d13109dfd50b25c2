//! The log, whether it is being written, and how much room is left.

use crate::edges::Edges;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_log::{Log, Store, StoreError};
use std::time::Duration;

/// The page's log.
pub type PageLog = Log<Box<dyn Store>>;

/// How it stands with the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StorageState {
    /// Why nothing, or not everything, is being saved.
    pub unsaved: Option<Unsaved>,
    /// How many records found no room.
    pub waiting: usize,
    /// How much of the room is used, in parts of a hundred.
    pub percent: usize,
    /// How many records could not be read, and are kept.
    pub unreadable: usize,
    /// Someone cleared the log, and the journal has what was written of late.
    pub cleared: bool,
}

/// Why the log is not being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// The browser refuses storage.
    Refused,
    /// There is no room.
    Full,
    /// A later version of Sash wrote the log.
    Newer,
    /// Another program did.
    Foreign,
}

/// When the first paint is over.
const AFTER_FIRST_PAINT: Duration = Duration::from_millis(500);

/// The log and the state of its store.
#[derive(Clone, Copy)]
pub struct Storage {
    edges: Edges,
    log: StoredValue<PageLog, LocalStorage>,
    /// The log is in memory alone.
    in_memory: bool,
    /// How it stands with the log.
    pub state: RwSignal<StorageState>,
}

impl Storage {
    /// A log that was opened, and how it stands with it.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState) -> Self {
        Self {
            edges,
            log: StoredValue::new_local(log),
            in_memory: state.unsaved.is_some_and(|why| why != Unsaved::Full),
            state: RwSignal::new(state),
        }
    }

    /// Looks into the log, or changes what it knows. `None` when the page is gone.
    pub fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        self.log.try_update_value(f)
    }

    /// Writes to the log; what cannot be written is said, and stays in memory. Whether it was written.
    pub fn write(self, f: impl FnOnce(&mut PageLog) -> Result<(), StoreError>) -> bool {
        let Some(done) = self.with_log(f) else {
            return false;
        };
        let waiting = self.with_log(|log| log.waiting()).unwrap_or_default();
        let mut now = self.state.get_untracked();
        now.waiting = waiting;
        now.unsaved = match (done, now.unsaved) {
            (Err(StoreError::Refused), _) => Some(Unsaved::Refused),
            (Err(StoreError::Full), _) => Some(Unsaved::Full),
            // In memory all goes well, and nothing is saved.
            (Ok(()), why) if self.in_memory => why,
            (Ok(()), _) => (waiting > 0).then_some(Unsaved::Full),
        };
        self.set_state(now);
        done.is_ok()
    }

    /// Looks, when there is time, how much room is left and what could not be read; makes the reserve.
    pub fn measure(self) {
        self.edges.after(AFTER_FIRST_PAINT, move || {
            self.with_log(|log| log.keep_reserve());
            let mut now = self.state.get_untracked();
            now.unreadable = self.with_log(|log| log.unreadable()).unwrap_or_default();
            now.percent = self.edges.with_page(|page| page.storage_percent());
            self.set_state(now);
        });
    }

    /// Writes what waited for room, and looks how much of it is left.
    pub fn write_waiting(self) {
        self.write(|log| {
            log.write_waiting();
            Ok(())
        });
        self.measure();
    }

    fn set_state(self, now: StorageState) {
        if self.state.get_untracked() != now {
            self.state.set(now);
        }
    }
}
