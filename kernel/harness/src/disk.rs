//! A store shared by all tabs of a browser, with the change events that each tab gets, and a quota
//! that can be full.

use sash_log::{KeyValue, StoreError};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A key that a tab wrote or removed.
#[derive(Clone)]
struct Change {
    tab: u32,
    key: String,
    there: bool,
}

/// The records of all tabs.
#[derive(Clone, Default)]
pub struct Disk {
    records: Rc<RefCell<BTreeMap<String, String>>>,
    changes: Rc<RefCell<Vec<Change>>>,
    /// The quota in bytes; `None` is unlimited.
    room: Rc<Cell<Option<usize>>>,
    /// The keys that were read.
    read: Rc<RefCell<Vec<String>>>,
    /// Whether the browser refuses storage.
    pub refuses: Rc<Cell<bool>>,
}

impl Disk {
    /// A copy of the records.
    pub fn copied(&self) -> Self {
        Self {
            records: Rc::new(RefCell::new(self.records.borrow().clone())),
            ..Self::default()
        }
    }

    /// The keys of the records that have a text.
    pub fn keys_with(&self, text: &str) -> Vec<String> {
        let records = self.records.borrow();
        let having = records.iter().filter(|(_, record)| record.contains(text));
        having.map(|(key, _)| key.clone()).collect()
    }

    /// Whether a text is in any record.
    pub fn contains(&self, text: &str) -> bool {
        !self.keys_with(text).is_empty()
    }

    /// The store for one tab.
    pub fn store(&self, tab: u32) -> TabStore {
        let disk = self.clone();
        TabStore { tab, disk }
    }

    /// How many messages, segments and pieces of answers were read since the last call.
    pub fn contents_read(&self) -> usize {
        let read = self.read.take();
        let kinds = ["sash:m:", "sash:s:", "sash:t:"];
        let is_content = |key: &&String| kinds.iter().any(|kind| key.starts_with(kind));
        read.iter().filter(is_content).count()
    }

    /// How many changes were made.
    pub fn changes(&self) -> usize {
        self.changes.borrow().len()
    }

    /// The changes of other tabs from index `from` on, which a tab gets as events.
    pub fn changes_of_others(&self, tab: u32, from: usize) -> Vec<(String, bool)> {
        let changes = self.changes.borrow();
        let others = changes.iter().skip(from).filter(|change| change.tab != tab);
        others.map(|c| (c.key.clone(), c.there)).collect()
    }

    /// How often a key was written.
    pub fn writes(&self, key: &str) -> usize {
        let changes = self.changes.borrow();
        changes.iter().filter(|c| c.there && c.key == key).count()
    }

    /// Whether a key exists.
    pub fn has(&self, key: &str) -> bool {
        self.records.borrow().contains_key(key)
    }

    /// Overwrites a key with a value that no tab wrote.
    pub fn damage(&self, key: &str) {
        let key = key.to_owned();
        self.records.borrow_mut().insert(key, "{".to_owned());
    }

    /// Clears the site's data, as the person can in the browser.
    pub fn clear(&self) {
        self.records.borrow_mut().clear();
    }

    /// Sets the quota to `bytes` more than is used now; `None` removes it.
    pub fn leave_room(&self, bytes: Option<usize>) {
        self.room.set(bytes.map(|bytes| self.used() + bytes));
    }

    fn used(&self) -> usize {
        let records = self.records.borrow();
        let sizes = records.iter().map(|(key, value)| key.len() + value.len());
        sizes.sum()
    }
}

/// The store of one tab.
pub struct TabStore {
    tab: u32,
    disk: Disk,
}

impl TabStore {
    fn note(&self, key: &str, there: bool) {
        let (tab, key) = (self.tab, key.to_owned());
        let change = Change { tab, key, there };
        self.disk.changes.borrow_mut().push(change);
    }
}

impl KeyValue for TabStore {
    fn keys(&self) -> Vec<String> {
        self.disk.records.borrow().keys().cloned().collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.disk.read.borrow_mut().push(key.to_owned());
        self.disk.records.borrow().get(key).cloned()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if self.disk.refuses.get() {
            return Err(StoreError::Refused);
        }
        let former = self.disk.records.borrow().get(key).cloned();
        let there = former.as_ref().map_or(0, |former| key.len() + former.len());
        let needed = self.disk.used() - there + key.len() + value.len();
        if self.disk.room.get().is_some_and(|room| needed > room) {
            return Err(StoreError::Full);
        }
        let mut records = self.disk.records.borrow_mut();
        records.insert(key.to_owned(), value.to_owned());
        // Like the browser, send events only for values that change.
        if former.as_deref() != Some(value) {
            self.note(key, true);
        }
        Ok(())
    }

    fn remove(&mut self, key: &str) {
        if self.disk.records.borrow_mut().remove(key).is_some() {
            self.note(key, false);
        }
    }
}
