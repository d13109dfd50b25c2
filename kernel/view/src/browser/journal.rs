//! The redo journal of the log in IndexedDB: localStorage reaches the disk up to a minute late, IndexedDB at
//! once. [`sash_log`] determines what is journaled, and how it is replayed.

use super::database;
use super::storage::is_closed;
use database::REDO;
use futures::channel::oneshot;
use futures::future::{Either, join, select};
use idb::{Error, Query, TransactionMode};
use js_sys::Array;
use leptos::logging::warn;
use sash_browser_kit::clock;
use sash_log::{Journal, JournalEntry};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// How long the page waits for its journal, in milliseconds; without the journal, a crash of the browser may
/// lose the last minute.
const OPEN_TIMEOUT_MS: i32 = 2_000;

/// The entry to write for a key: a record, or the revision of the one that was removed, and the time; `None` drops the
/// entry.
type PendingEntry = Option<(Result<String, Option<u64>>, u64)>;

thread_local! {
    /// The entries found when this page started.
    static FOUND: RefCell<Vec<JournalEntry>> = const { RefCell::new(Vec::new()) };
    /// The entries to write in one transaction after the running task.
    static PENDING: RefCell<BTreeMap<String, PendingEntry>> = const { RefCell::new(BTreeMap::new()) };
    /// Whether a transaction has failed.
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Opens the database, with stores of these names for rooms, and reads the journal, before the log is opened. If that takes too
/// long, the journal is still opened, and its entries are read at the next start.
pub async fn start(of_rooms: &'static [&'static str]) {
    let (tell, opened) = oneshot::channel();
    spawn_local(async move {
        if let Err(error) = database::open(of_rooms).await {
            warn!("There is no journal: a crash of the browser may cost the last minute. {error}");
            return;
        }
        let found = BrowserJournal.read().await;
        // Fails if the wait has timed out: then the entries are read at the next start.
        let _ = tell.send(found);
    });
    if let Either::Left((Ok(found), _)) = select(opened, pin!(clock::wait(OPEN_TIMEOUT_MS))).await {
        FOUND.set(found);
    }
}

/// Writes the pending entries in one transaction.
async fn flush() -> Result<(), Error> {
    let batch = PENDING.take();
    let Some(transaction) = database::begin(&[REDO], TransactionMode::ReadWrite)? else {
        return Ok(());
    };
    let store = transaction.object_store(REDO)?;
    for (key, noted) in batch {
        let key = JsValue::from(key);
        match noted {
            Some((record, at)) => {
                let at = JsValue::from_f64(at as f64);
                let value = match record {
                    Ok(record) => Array::of2(&record.into(), &at),
                    Err(None) => Array::of2(&JsValue::NULL, &at),
                    Err(Some(rev)) => {
                        Array::of3(&JsValue::NULL, &at, &JsValue::from_f64(rev as f64))
                    }
                };
                store.put(&value, Some(&key))?;
            }
            None => drop(store.delete(Query::Key(key))?),
        }
    }
    database::commit(transaction).await
}

fn write(key: &str, noted: PendingEntry) {
    if is_closed() {
        return;
    }
    let is_first = PENDING.with_borrow_mut(|pending| {
        let is_first = pending.is_empty();
        pending.insert(key.to_owned(), noted);
        is_first
    });
    if is_first {
        spawn_local(async {
            if let Err(error) = flush().await
                && !FAILED.replace(true)
            {
                warn!(
                    "The journal is not written: a crash of the browser may cost the last minute. {error}"
                );
            }
        });
    }
}

async fn all() -> Result<Vec<JournalEntry>, Error> {
    let Some(transaction) = database::begin(&[REDO], TransactionMode::ReadOnly)? else {
        return Ok(Vec::new());
    };
    let store = transaction.object_store(REDO)?;
    // Start both requests before waiting: a transaction without pending requests ends.
    let keys = store.get_all_keys(None, None)?.into_future();
    let values = store.get_all(None, None)?.into_future();
    let (keys, values) = join(keys, values).await;
    let entry = |(key, value): (JsValue, JsValue)| {
        let value: Array = value.dyn_into().ok()?;
        Some(JournalEntry {
            key: key.as_string()?,
            record: value.get(0).as_string(),
            at: value.get(1).as_f64()? as u64,
            rev: value.get(2).as_f64().map(|rev| rev as u64),
        })
    };
    Ok(keys?.into_iter().zip(values?).filter_map(entry).collect())
}

/// Drops all entries.
async fn clear() -> Result<(), Error> {
    PENDING.take();
    let Some(transaction) = database::begin(&[REDO], TransactionMode::ReadWrite)? else {
        return Ok(());
    };
    transaction.object_store(REDO)?.clear()?;
    database::commit(transaction).await
}

/// The journal in IndexedDB; without IndexedDB it stores nothing.
#[derive(Clone, Copy, Debug)]
pub struct BrowserJournal;

impl BrowserJournal {
    /// The entries found when this page started.
    #[must_use]
    pub fn found(self) -> Vec<JournalEntry> {
        FOUND.take()
    }

    /// The present entries.
    pub async fn read(self) -> Vec<JournalEntry> {
        all().await.unwrap_or_else(|error| {
            warn!("The journal is not readable. {error}");
            Vec::new()
        })
    }

    /// Drops all entries.
    pub fn clear(self) {
        spawn_local(async {
            if let Err(error) = clear().await {
                warn!("The journal is not emptied. {error}");
            }
        });
    }

    /// Whether the journal exists and no write has failed.
    #[must_use]
    pub fn works(self) -> bool {
        !FAILED.get() && database::is_open()
    }
}

impl Journal for BrowserJournal {
    fn record(&mut self, key: &str, record: &str) {
        if self.works() {
            write(key, Some((Ok(record.to_owned()), clock::now())));
        }
    }

    fn record_removal(&mut self, key: &str, rev: Option<u64>) {
        if self.works() {
            write(key, Some((Err(rev), clock::now())));
        }
    }

    fn forget(&mut self, key: &str) {
        if self.works() {
            write(key, None);
        }
    }
}
