//! The bytes of images in IndexedDB, under their hash. What finds no room there, or no IndexedDB, stays in memory
//! as long as the page.

use super::clock;
use super::database::{self, IMAGES};
use super::storage::is_closed;
use futures::FutureExt;
use futures::future::{LocalBoxFuture, join};
use idb::{Error, Query, TransactionMode};
use js_sys::{Array, Uint8Array};
use leptos::logging::warn;
use sash_chat::ImageHash;
use sash_state::edges::Images;
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static IN_MEMORY: RefCell<BTreeMap<ImageHash, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The images of this browser.
#[derive(Clone, Copy, Debug)]
pub struct BrowserImages;

fn key(hash: ImageHash) -> JsValue {
    hash.to_string().into()
}

/// Writes an image; an error where the database is full or missing.
async fn put(hash: ImageHash, bytes: &[u8]) -> Result<(), Error> {
    let begun = database::begin(IMAGES, TransactionMode::ReadWrite)?;
    let Some(transaction) = begun.filter(|_| !is_closed()) else {
        return Err(Error::TransactionCommitError("there is no database".into()));
    };
    let value = Array::of2(
        &Uint8Array::from(bytes),
        &JsValue::from_f64(clock::now() as f64),
    );
    transaction
        .object_store(IMAGES)?
        .put(&value, Some(&key(hash)))?;
    database::commit(transaction).await
}

async fn get(hash: ImageHash) -> Result<Option<Vec<u8>>, Error> {
    let Some(transaction) = database::begin(IMAGES, TransactionMode::ReadOnly)? else {
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
    let Some(transaction) = database::begin(IMAGES, TransactionMode::ReadOnly)? else {
        return Ok(false);
    };
    let store = transaction.object_store(IMAGES)?;
    Ok(store.get_key(Query::Key(key(hash)))?.await?.is_some())
}

async fn list() -> Result<Vec<(ImageHash, u64)>, Error> {
    let Some(transaction) = database::begin(IMAGES, TransactionMode::ReadOnly)? else {
        return Ok(Vec::new());
    };
    let store = transaction.object_store(IMAGES)?;
    // Start both requests before waiting: a transaction without pending requests ends.
    let keys = store.get_all_keys(None, None)?.into_future();
    let values = store.get_all(None, None)?.into_future();
    let (keys, values) = join(keys, values).await;
    let entry = |(key, value): (JsValue, JsValue)| {
        let value: Array = value.dyn_into().ok()?;
        let hash = key.as_string()?.parse().ok()?;
        Some((hash, value.get(1).as_f64()? as u64))
    };
    Ok(keys?.into_iter().zip(values?).filter_map(entry).collect())
}

async fn remove(hashes: Vec<ImageHash>) -> Result<(), Error> {
    let Some(transaction) = database::begin(IMAGES, TransactionMode::ReadWrite)? else {
        return Ok(());
    };
    let store = transaction.object_store(IMAGES)?;
    for hash in hashes {
        store.delete(Query::Key(key(hash)))?;
    }
    database::commit(transaction).await
}

impl Images for BrowserImages {
    fn keep(&self, hash: ImageHash, bytes: Vec<u8>) -> LocalBoxFuture<'static, bool> {
        async move {
            database::wait_until_settled().await;
            match put(hash, &bytes).await {
                Ok(()) => true,
                Err(error) => {
                    warn!("An image is kept in memory alone. {error}");
                    IN_MEMORY.with_borrow_mut(|images| _ = images.insert(hash, bytes));
                    false
                }
            }
        }
        .boxed_local()
    }

    fn read(&self, hash: ImageHash) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        async move {
            if let Some(bytes) = IN_MEMORY.with_borrow(|images| images.get(&hash).cloned()) {
                return Some(bytes);
            }
            database::wait_until_settled().await;
            get(hash).await.unwrap_or_else(|error| {
                warn!("An image is not readable. {error}");
                None
            })
        }
        .boxed_local()
    }

    fn is_kept(&self, hash: ImageHash) -> LocalBoxFuture<'static, bool> {
        async move {
            if IN_MEMORY.with_borrow(|images| images.contains_key(&hash)) {
                return true;
            }
            database::wait_until_settled().await;
            exists(hash).await.unwrap_or_else(|error| {
                warn!("Images are not readable. {error}");
                false
            })
        }
        .boxed_local()
    }

    fn all(&self) -> LocalBoxFuture<'static, Vec<(ImageHash, u64)>> {
        async move {
            database::wait_until_settled().await;
            list().await.unwrap_or_else(|error| {
                warn!("Images are not readable. {error}");
                Vec::new()
            })
        }
        .boxed_local()
    }

    fn delete(&self, hashes: Vec<ImageHash>) -> LocalBoxFuture<'static, ()> {
        async move {
            IN_MEMORY.with_borrow_mut(|images| images.retain(|hash, _| !hashes.contains(hash)));
            if let Err(error) = remove(hashes).await {
                warn!("Images are not deleted. {error}");
            }
        }
        .boxed_local()
    }
}
