//! The redo journal of the log in IndexedDB: localStorage reaches the disk up to a minute late, IndexedDB at
//! once. [`sash_log`] determines what is journaled, and how it is replayed.

use super::clock;
use super::storage::is_closed;
use futures::channel::oneshot;
use futures::future::{Either, join, select};
use idb::{Database, DatabaseEvent, Error, Factory, ObjectStoreParams, Query, TransactionMode};
use js_sys::Array;
use leptos::logging::warn;
use sash_log::{Journal, JournalEntry};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

const NAME: &str = "sash";
const STORE: &str = "redo";
/// How long the page waits for its journal, in milliseconds; without the journal, a crash of the browser may
/// lose the last minute.
const OPEN_TIMEOUT_MS: i32 = 2_000;
/// How long other tabs may take to close their journal, in milliseconds; a frozen tab closes it when it wakes
/// up.
const CLOSE_TIMEOUT_MS: i32 = 5_000;

/// The entry to write for a key: a record or its absence, and the time; `None` drops the entry.
type PendingEntry = Option<(Option<String>, u64)>;

thread_local! {
    static DATABASE: RefCell<Option<Database>> = const { RefCell::new(None) };
    /// The entries found when this page started.
    static FOUND: RefCell<Vec<JournalEntry>> = const { RefCell::new(Vec::new()) };
    /// The entries to write in one transaction after the running task.
    static PENDING: RefCell<BTreeMap<String, PendingEntry>> = const { RefCell::new(BTreeMap::new()) };
    /// Whether a transaction has failed, or the database was closed.
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Opens the journal and reads it, before the log is opened. If that takes too long, the journal is still
/// opened, and its entries are read at the next start.
pub async fn start() {
    let (tell, opened) = oneshot::channel();
    spawn_local(async move {
        if let Err(error) = open().await {
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

async fn open() -> Result<(), Error> {
    let mut opening = Factory::new()?.open(NAME, Some(1))?;
    opening.on_upgrade_needed(|event| {
        let made = event
            .database()
            .and_then(|database| database.create_object_store(STORE, ObjectStoreParams::new()));
        if let Err(error) = made {
            warn!("The journal cannot be made. {error}");
        }
    });
    let mut database = opening.await?;
    // Another version of the page upgrades the database, or everything is being deleted: both wait until this
    // page has closed it.
    database.on_version_change(|_| let_go());
    DATABASE.set(Some(database));
    Ok(())
}

fn let_go() {
    FAILED.set(true);
    DATABASE.with_borrow(|database| {
        if let Some(database) = database {
            database.close();
        }
    });
}

/// Deletes the journal; waits until every tab has closed it, or until the time limit.
pub(super) async fn delete() {
    let_go();
    let deleted = async {
        Factory::new()?.delete(NAME)?.await?;
        Ok::<_, Error>(())
    };
    if let Either::Left((Err(error), _)) =
        select(pin!(deleted), pin!(clock::wait(CLOSE_TIMEOUT_MS))).await
    {
        warn!("There is no journal to delete. {error}");
    }
}

/// Writes the pending entries in one transaction.
async fn flush() -> Result<(), Error> {
    let batch = PENDING.take();
    let transaction = DATABASE.with_borrow(|database| {
        let Some(database) = database.as_ref().filter(|_| !FAILED.get()) else {
            return Ok(None);
        };
        let transaction = database.transaction(&[STORE], TransactionMode::ReadWrite)?;
        let store = transaction.object_store(STORE)?;
        for (key, noted) in batch {
            let key = JsValue::from(key);
            match noted {
                Some((record, at)) => {
                    let record = record.map_or(JsValue::NULL, JsValue::from);
                    let value = Array::of2(&record, &JsValue::from_f64(at as f64));
                    store.put(&value, Some(&key))?;
                }
                None => drop(store.delete(Query::Key(key))?),
            }
        }
        transaction.commit().map(Some)
    })?;
    match transaction {
        Some(transaction) => done(transaction).await,
        None => Ok(()),
    }
}

/// Waits for the end of a transaction.
async fn done(transaction: idb::Transaction) -> Result<(), Error> {
    let failed = |what: &str| Error::TransactionCommitError(what.into());
    match transaction.await?.is_committed() {
        true => Ok(()),
        false => Err(failed("it was aborted")),
    }
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
    let transaction = DATABASE.with_borrow(|database| {
        let transaction =
            |database: &Database| database.transaction(&[STORE], TransactionMode::ReadOnly);
        database.as_ref().map(transaction).transpose()
    })?;
    let Some(transaction) = transaction else {
        return Ok(Vec::new());
    };
    let store = transaction.object_store(STORE)?;
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
        })
    };
    Ok(keys?.into_iter().zip(values?).filter_map(entry).collect())
}

/// Drops all entries.
async fn clear() -> Result<(), Error> {
    PENDING.take();
    let transaction = DATABASE.with_borrow(|database| {
        let Some(database) = database else {
            return Ok(None);
        };
        let transaction = database.transaction(&[STORE], TransactionMode::ReadWrite)?;
        transaction.object_store(STORE)?.clear()?;
        transaction.commit().map(Some)
    })?;
    match transaction {
        Some(transaction) => done(transaction).await,
        None => Ok(()),
    }
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
        !FAILED.get() && DATABASE.with_borrow(Option::is_some)
    }
}

impl Journal for BrowserJournal {
    fn note(&mut self, key: &str, record: Option<&str>) {
        if self.works() {
            write(key, Some((record.map(str::to_owned), clock::now())));
        }
    }

    fn forget(&mut self, key: &str) {
        if self.works() {
            write(key, None);
        }
    }
}
