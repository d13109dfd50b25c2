//! The database of this browser in IndexedDB: the redo journal of the log, the bytes of images, and what rooms keep here.

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{Either, LocalBoxFuture, pending, select};
use idb::{
    Database, DatabaseEvent, Error, Factory, ObjectStoreParams, Transaction, TransactionMode,
};
use leptos::logging::warn;
use sash_browser_kit::clock;
use std::cell::{Cell, RefCell};
use std::pin::pin;
use wasm_bindgen_futures::spawn_local;

const NAME: &str = "sash";
/// Each store that was added raised it, those of rooms too. `public/export.js` opens whichever version is there.
const VERSION: u32 = 5;
/// The entries of the journal, by key.
pub(super) const REDO: &str = "redo";
/// The bytes of images, by hash.
pub(super) const IMAGES: &str = "images";
/// When each image was kept, by hash: learning that from the images themselves would read all of their bytes.
pub(super) const IMAGE_TIMES: &str = "image-times";
/// How long other tabs may take to close the database, in milliseconds; a frozen tab closes it when it wakes up.
const CLOSE_TIMEOUT_MS: i32 = 5_000;
/// How long the page waits for its database, in milliseconds: an older page in another tab may keep it from being
/// upgraded, and a damaged profile from being opened at all.
const OPEN_TIMEOUT_MS: f64 = 10_000.0;

thread_local! {
    static DATABASE: RefCell<Option<Database>> = const { RefCell::new(None) };
    /// Whether the database was closed for good: it is being deleted, or another version of the page upgrades it.
    static CLOSED: Cell<bool> = const { Cell::new(false) };
    /// Whether opening has ended, well or not.
    static SETTLED: Cell<bool> = const { Cell::new(false) };
    /// Until when opening is waited for, in milliseconds of the monotonic clock.
    static WAIT_UNTIL: Cell<f64> = const { Cell::new(0.0) };
}

/// Opens the database, with the stores of these names for rooms.
pub(super) async fn open(of_rooms: &'static [&'static str]) -> Result<(), Error> {
    WAIT_UNTIL.set(clock::monotonic() + OPEN_TIMEOUT_MS);
    let opened = open_or_upgrade(of_rooms).await;
    SETTLED.set(true);
    opened
}

/// Waits until opening has ended, or has taken too long.
pub async fn wait_for_opening() {
    const LOOK_EVERY_MS: i32 = 50;
    while !SETTLED.get() && clock::monotonic() < WAIT_UNTIL.get() {
        clock::wait(LOOK_EVERY_MS).await;
    }
}

/// Whether the database is missing now although there may be one: it has not opened yet, or was closed for another
/// page.
pub(super) fn is_blocked() -> bool {
    !SETTLED.get() || CLOSED.get()
}

async fn open_or_upgrade(of_rooms: &'static [&'static str]) -> Result<(), Error> {
    let mut opening = Factory::new()?.open(NAME, Some(VERSION))?;
    opening.on_blocked(|_| warn!("Another tab keeps the database from being opened."));
    opening.on_upgrade_needed(move |event| {
        let made = event.database().and_then(|database| {
            let there = database.store_names();
            for store in [REDO, IMAGES, IMAGE_TIMES].iter().chain(of_rooms) {
                if !there.iter().any(|name| name == *store) {
                    database.create_object_store(store, ObjectStoreParams::new())?;
                }
            }
            Ok(())
        });
        if let Err(error) = made {
            warn!("The database cannot be made. {error}");
        }
    });
    let mut database = opening.await?;
    // Another version of the page upgrades the database, or everything is being deleted: both wait until this
    // page has closed it.
    database.on_version_change(|_| close());
    DATABASE.set(Some(database));
    Ok(())
}

fn close() {
    CLOSED.set(true);
    DATABASE.with_borrow(|database| {
        if let Some(database) = database {
            database.close();
        }
    });
}

/// Whether the database is open.
pub(super) fn is_open() -> bool {
    !CLOSED.get() && DATABASE.with_borrow(Option::is_some)
}

/// Runs a task of the database to its end, although the one who waits for it gives up: a request that was dropped is
/// answered all the same, and without its listener that would be a fault of the page.
pub fn to_its_end<T: 'static>(
    task: impl Future<Output = T> + 'static,
) -> LocalBoxFuture<'static, T> {
    let (send, done) = oneshot::channel();
    spawn_local(async move {
        // Nobody may wait any more.
        send.send(task.await).ok();
    });
    async move {
        match done.await {
            Ok(done) => done,
            Err(_) => pending().await,
        }
    }
    .boxed_local()
}

/// Begins a transaction on some stores; `None` without a database.
///
/// # Errors
/// That the browser refuses it.
pub fn begin(stores: &[&str], mode: TransactionMode) -> Result<Option<Transaction>, Error> {
    DATABASE.with_borrow(|database| {
        let database = database.as_ref().filter(|_| !CLOSED.get());
        let begun = database.map(|database| database.transaction(stores, mode));
        begun.transpose()
    })
}

/// Commits a transaction and waits for its end.
///
/// # Errors
/// That it was aborted, or that the browser refuses it.
pub async fn commit(transaction: Transaction) -> Result<(), Error> {
    let failed = |what: &str| Error::TransactionCommitError(what.into());
    match transaction.commit()?.await?.is_committed() {
        true => Ok(()),
        false => Err(failed("it was aborted")),
    }
}

/// Deletes the database; waits until every tab has closed it, or until the time limit.
pub(super) async fn delete() {
    close();
    let deleted = async {
        Factory::new()?.delete(NAME)?.await?;
        Ok::<_, Error>(())
    };
    if let Either::Left((Err(error), _)) =
        select(pin!(deleted), pin!(clock::wait(CLOSE_TIMEOUT_MS))).await
    {
        warn!("There is no database to delete. {error}");
    }
}
