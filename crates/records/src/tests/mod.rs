//! The guarantees of the records of features, over a log in memory.

mod backup;
mod kinds;
mod prompts;
mod queue;

use crate::KINDS;
use sash_chat::{Head, Id, Message, Role};
use sash_log::{
    Journal, JournalEntry, Journaled, Key, KeyValue, Log, MemoryStore, StoreError, encode_record,
    replay,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const CHAT: Id = Id(10);

/// A store that the test holds, too: as another tab does, or a disk. It may refuse writes.
#[derive(Clone, Default)]
struct SharedStore {
    kept: Rc<RefCell<MemoryStore>>,
    is_full: Rc<Cell<bool>>,
}

impl SharedStore {
    fn of(store: MemoryStore) -> Self {
        Self {
            kept: Rc::new(RefCell::new(store)),
            is_full: Rc::default(),
        }
    }

    fn copy_now(&self) -> MemoryStore {
        self.kept.borrow().clone()
    }
}

impl KeyValue for SharedStore {
    fn keys(&self) -> Vec<String> {
        self.kept.borrow().keys()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.kept.borrow().get(key)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        match self.is_full.get() {
            true => Err(StoreError::Full),
            false => self.kept.borrow_mut().set(key, value),
        }
    }

    fn remove(&mut self, key: &str) {
        self.kept.borrow_mut().remove(key);
    }
}

/// A journal in memory.
#[derive(Clone, Default)]
struct MemoryJournal(Rc<RefCell<Vec<JournalEntry>>>);

impl MemoryJournal {
    fn add(&self, key: &str, record: Option<&str>, rev: Option<u64>) {
        let mut entries = self.0.borrow_mut();
        entries.retain(|entry| entry.key != key);
        entries.push(JournalEntry {
            key: key.to_owned(),
            record: record.map(str::to_owned),
            at: 10,
            rev,
        });
    }
}

impl Journal for MemoryJournal {
    fn record(&mut self, key: &str, record: &str) {
        self.add(key, Some(record), None);
    }

    fn record_removal(&mut self, key: &str, rev: Option<u64>) {
        self.add(key, None, rev);
    }

    fn forget(&mut self, key: &str) {
        self.0.borrow_mut().retain(|entry| entry.key != key);
    }
}

fn open<S: KeyValue>(store: S) -> Log<S> {
    Log::open(store, Id(1), KINDS)
        .map_err(|(_, error)| error)
        .unwrap()
}

fn written() -> MemoryStore {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    let question = Message {
        content: "first question".into(),
        ..Message::new(Id(1), None, 1, Role::User, 1000)
    };
    log.save_message(CHAT, &question).unwrap();
    log.store().clone()
}
