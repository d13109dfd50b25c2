//! The log, whether it can be saved, and how much space is left.

use crate::edges::Edges;
use crate::hooks::Events;
use crate::set_if_new::set_if_new;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_log::{Key, KeyValue, Log, StoreError};
use std::collections::BTreeSet;
use std::time::Duration;

/// The page's log.
pub type PageLog = Log<Box<dyn KeyValue>>;

/// The state of the log's storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StorageState {
    /// Why records are not being saved.
    pub unsaved: Option<Unsaved>,
    /// How many records wait because storage is full.
    pub waiting: usize,
    /// How much of the storage quota is used, in percent.
    pub percent: usize,
    /// How many records could not be read; they are kept.
    pub unreadable: usize,
    /// Whether the log was cleared from outside; recent changes are still in the journal.
    pub cleared: bool,
}

/// Why the log is not being saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// The browser refuses storage.
    Refused,
    /// The storage quota is used up.
    Full,
    /// A newer version of Sash wrote the log.
    Newer,
    /// The keys belong to another program.
    Foreign,
}

/// A chat, or a message of it, that is deleted.
pub type DeletedId = (Id, Option<Id>);

/// What happened to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEvent {
    /// It has changes that were not taken from it, if someone [follows](Log::follow_changes) it.
    Changed,
    /// Chats have changed that were not taken from it, if someone [follows](Log::follow_chats) that.
    ChatsChanged,
    /// Another tab wrote or removed a record, which the log has taken in.
    OtherTab(Key),
    /// Records were written past the stores that show them: chats or messages were restored, deleted for good or imported.
    ManyWritten,
    /// The site's data was cleared from outside; the log has forgotten it.
    Cleared,
}

/// A delay after which the first paint is over.
const AFTER_FIRST_PAINT: Duration = Duration::from_millis(500);

/// The log and the state of its store.
#[derive(Clone, Copy)]
pub struct Storage {
    edges: Edges,
    log: StoredValue<PageLog, LocalStorage>,
    events: Events<LogEvent>,
    purged: Events<BTreeSet<DeletedId>>,
    /// Whether the log is only in memory.
    in_memory: bool,
    /// The state of the store.
    pub state: RwSignal<StorageState>,
}

impl Storage {
    /// Wraps an opened log and the state of its storage.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState) -> Self {
        Self {
            edges,
            log: StoredValue::new_local(log),
            events: Events::default(),
            purged: Events::default(),
            in_memory: state.unsaved.is_some_and(|why| why != Unsaved::Full),
            state: RwSignal::new(state),
        }
    }

    /// Reads or changes the log. `None` once the page is closed.
    pub fn with_log<T>(self, f: impl FnOnce(&mut PageLog) -> T) -> Option<T> {
        let (done, has_changes, has_changed_chats) = self.log.try_update_value(|log| {
            let done = f(log);
            (done, log.has_changes(), log.has_changed_chats())
        })?;
        if has_changes {
            self.events.emit(&LogEvent::Changed);
        }
        if has_changed_chats {
            self.events.emit(&LogEvent::ChatsChanged);
        }
        Some(done)
    }

    /// What happens to the log. A listener must not use the log at a change: it would hear of the
    /// same one again.
    #[must_use]
    pub fn events(self) -> Events<LogEvent> {
        self.events
    }

    /// What was deleted for good: who keeps something of it elsewhere deletes that, too.
    #[must_use]
    pub fn purged(self) -> Events<BTreeSet<DeletedId>> {
        self.purged
    }

    /// Writes to the log. A record that cannot be written stays in memory, and the state says so.
    /// Returns whether it was written.
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
            // The in-memory store accepts everything, yet nothing is saved.
            (Ok(()), why) if self.in_memory => why,
            (Ok(()), _) => (waiting > 0).then_some(Unsaved::Full),
        };
        set_if_new(self.state, now);
        done.is_ok()
    }

    /// After the first paint, measures the space left, counts unreadable records and makes the
    /// reserve.
    pub fn measure(self) {
        self.edges.after(AFTER_FIRST_PAINT, move || {
            self.with_log(|log| log.keep_reserve());
            let mut now = self.state.get_untracked();
            now.unreadable = self.with_log(|log| log.unreadable()).unwrap_or_default();
            now.percent = self.edges.with_page(|page| page.storage_percent());
            set_if_new(self.state, now);
        });
    }

    /// Writes the records that waited for space, and measures again.
    pub fn write_waiting(self) {
        self.write(|log| {
            log.write_waiting();
            Ok(())
        });
        self.measure();
    }
}
