//! The bytes of images in IndexedDB, under their hash, and beside them when each was kept. What finds no room there, or
//! no IndexedDB, stays in memory as long as the page.

use super::database::{self, IMAGE_TIMES, IMAGES};
use super::image;
use super::storage::is_closed;
use futures::FutureExt;
use futures::future::{LocalBoxFuture, join3};
use idb::{Error, Query, TransactionMode};
use js_sys::{Array, Uint8Array};
use leptos::logging::warn;
use sash_browser_kit::clock;
use sash_chat::ImageHash;
use sash_log::image::ImageRefusal;
use sash_stores::ScaledImage;
use sash_stores::edges::{Images, ImagesUnavailable};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static IN_MEMORY: RefCell<BTreeMap<ImageHash, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    /// Those of temporary chats.
    static TEMPORARY: RefCell<BTreeMap<ImageHash, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The images of this browser.
#[derive(Clone, Copy, Debug)]
pub struct BrowserImages;

fn key(hash: ImageHash) -> JsValue {
    hash.to_string().into()
}

/// Writes an image; an error where the database is full or missing.
async fn put(hash: ImageHash, bytes: &[u8]) -> Result<(), Error> {
    let begun = database::begin(&[IMAGES, IMAGE_TIMES], TransactionMode::ReadWrite)?;
    let Some(transaction) = begun.filter(|_| !is_closed()) else {
        return Err(Error::TransactionCommitError("there is no database".into()));
    };
    let now = JsValue::from_f64(clock::now() as f64);
    let value = Array::of2(&Uint8Array::from(bytes), &now);
    transaction
        .object_store(IMAGES)?
        .put(&value, Some(&key(hash)))?;
    transaction
        .object_store(IMAGE_TIMES)?
        .put(&now, Some(&key(hash)))?;
    database::commit(transaction).await
}

async fn get(hash: ImageHash) -> Result<Option<Vec<u8>>, Error> {
    let Some(transaction) = database::begin(&[IMAGES], TransactionMode::ReadOnly)? else {
        return Ok(None);
    };
    let found = transaction
        .object_store(IMAGES)?
        .get(Query::Key(key(hash)))?
        .await?;
    let bytes = found.and_then(|value| {
        let bytes = value.dyn_into::<Array>().ok()?.get(0);
        bytes.dyn_into::<Uint8Array>().ok()
    });
    Ok(bytes.map(|bytes| bytes.to_vec()))
}

async fn exists(hash: ImageHash) -> Result<bool, Error> {
    let Some(transaction) = database::begin(&[IMAGES], TransactionMode::ReadOnly)? else {
        return Ok(false);
    };
    let store = transaction.object_store(IMAGES)?;
    Ok(store.get_key(Query::Key(key(hash)))?.await?.is_some())
}

/// All images with their times. Their bytes are not read.
async fn list() -> Result<Vec<(ImageHash, u64)>, Error> {
    let stores = [IMAGES, IMAGE_TIMES];
    let Some(transaction) = database::begin(&stores, TransactionMode::ReadOnly)? else {
        return Ok(Vec::new());
    };
    let (images, times) = (
        transaction.object_store(IMAGES)?,
        transaction.object_store(IMAGE_TIMES)?,
    );
    // Start all requests before waiting: a transaction without pending requests ends.
    let images = images.get_all_keys(None, None)?.into_future();
    let timed = times.get_all_keys(None, None)?.into_future();
    let times = times.get_all(None, None)?.into_future();
    let (images, timed, times) = join3(images, timed, times).await;
    let time = |(key, time): (JsValue, JsValue)| Some((parse(&key)?, time.as_f64()? as u64));
    let times: BTreeMap<ImageHash, u64> = timed?.into_iter().zip(times?).filter_map(time).collect();
    let now = clock::now();
    let all: Vec<(ImageHash, u64)> = images?
        .iter()
        .filter_map(parse)
        .map(|hash| (hash, times.get(&hash).copied().unwrap_or(now)))
        .collect();
    let untimed = all.iter().filter(|(hash, _)| !times.contains_key(hash));
    record_times(untimed.map(|(hash, _)| *hash).collect(), now).await?;
    Ok(all)
}

fn parse(key: &JsValue) -> Option<ImageHash> {
    key.as_string()?.parse().ok()
}

/// Notes when images were first seen that were kept before their times were. They count as kept only now, so that none
/// is taken for older than it is.
async fn record_times(images: Vec<ImageHash>, now: u64) -> Result<(), Error> {
    if images.is_empty() {
        return Ok(());
    }
    let begun = database::begin(&[IMAGE_TIMES], TransactionMode::ReadWrite)?;
    let Some(transaction) = begun.filter(|_| !is_closed()) else {
        return Ok(());
    };
    let store = transaction.object_store(IMAGE_TIMES)?;
    for hash in images {
        store.put(&JsValue::from_f64(now as f64), Some(&key(hash)))?;
    }
    database::commit(transaction).await
}

async fn remove(hashes: Vec<ImageHash>) -> Result<(), Error> {
    let stores = [IMAGES, IMAGE_TIMES];
    let Some(transaction) = database::begin(&stores, TransactionMode::ReadWrite)? else {
        return Ok(());
    };
    for store in stores {
        let store = transaction.object_store(store)?;
        for hash in &hashes {
            store.delete(Query::Key(key(*hash)))?;
        }
    }
    database::commit(transaction).await
}

/// An image that is in memory alone.
fn in_memory(hash: ImageHash) -> Option<Vec<u8>> {
    let find = |images: &BTreeMap<ImageHash, Vec<u8>>| images.get(&hash).cloned();
    IN_MEMORY
        .with_borrow(find)
        .or_else(|| TEMPORARY.with_borrow(find))
}

async fn wait_until_readable() -> Result<(), ImagesUnavailable> {
    database::wait_for_opening().await;
    match database::is_blocked() {
        true => Err(ImagesUnavailable),
        false => Ok(()),
    }
}

fn unavailable(error: Error) -> ImagesUnavailable {
    warn!("Images are not readable. {error}");
    ImagesUnavailable
}

impl Images for BrowserImages {
    fn scale(&self, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<ScaledImage, ImageRefusal>> {
        image::scale_bytes(bytes).boxed_local()
    }

    fn keep(&self, hash: ImageHash, bytes: Vec<u8>) -> LocalBoxFuture<'static, bool> {
        database::to_its_end(async move {
            database::wait_for_opening().await;
            match put(hash, &bytes).await {
                Ok(()) => true,
                Err(error) => {
                    warn!("An image is kept in memory alone. {error}");
                    IN_MEMORY.with_borrow_mut(|images| _ = images.insert(hash, bytes));
                    false
                }
            }
        })
    }

    fn keep_in_memory(&self, hash: ImageHash, bytes: Vec<u8>) {
        TEMPORARY.with_borrow_mut(|images| _ = images.insert(hash, bytes));
    }

    fn forget(&self, hashes: Vec<ImageHash>) {
        TEMPORARY.with_borrow_mut(|images| images.retain(|hash, _| !hashes.contains(hash)));
    }

    fn read(
        &self,
        hash: ImageHash,
    ) -> LocalBoxFuture<'static, Result<Option<Vec<u8>>, ImagesUnavailable>> {
        database::to_its_end(async move {
            if let Some(bytes) = in_memory(hash) {
                return Ok(Some(bytes));
            }
            wait_until_readable().await?;
            get(hash).await.map_err(unavailable)
        })
    }

    fn is_kept(&self, hash: ImageHash) -> LocalBoxFuture<'static, Result<bool, ImagesUnavailable>> {
        database::to_its_end(async move {
            if in_memory(hash).is_some() {
                return Ok(true);
            }
            wait_until_readable().await?;
            exists(hash).await.map_err(unavailable)
        })
    }

    fn all(&self) -> LocalBoxFuture<'static, Vec<(ImageHash, u64)>> {
        database::to_its_end(async move {
            database::wait_for_opening().await;
            list().await.map_err(unavailable).unwrap_or_default()
        })
    }

    fn delete(&self, hashes: Vec<ImageHash>) -> LocalBoxFuture<'static, ()> {
        database::to_its_end(async move {
            IN_MEMORY.with_borrow_mut(|images| images.retain(|hash, _| !hashes.contains(hash)));
            if let Err(error) = remove(hashes).await {
                warn!("Images are not deleted. {error}");
            }
        })
    }
}
