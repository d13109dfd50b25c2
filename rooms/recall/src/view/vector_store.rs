//! The vectors of messages in IndexedDB, under `chat/message`. Only one model's are kept; a mark says which. All that
//! fails here costs is that vectors are computed again.

use crate::Vectors;
use futures::future::{LocalBoxFuture, join};
use idb::{Error, KeyRange, ObjectStore, Query, TransactionMode};
use js_sys::Uint8Array;
use leptos::logging::warn;
use sash_chat::Id;
use sash_view::browser::database;
use sash_view::browser::storage::is_closed;
use wasm_bindgen::{JsCast, JsValue};

/// The vectors of messages in the database, by chat and message.
pub const VECTORS: &str = "vectors";

/// The key of the mark that names the model. It is no key of a vector.
const MODEL: &str = "model";

/// The vectors of this browser.
#[derive(Clone, Copy, Debug)]
pub struct BrowserVectors;

fn key(chat: Id, message: Id) -> JsValue {
    format!("{chat}/{message}").into()
}

/// The keys of a chat's messages: `0` follows `/`.
fn keys_of(chat: Id) -> Result<KeyRange, Error> {
    let (from, to) = (format!("{chat}/"), format!("{chat}0"));
    KeyRange::bound(&from.into(), &to.into(), None, Some(true))
}

/// The model whose vectors are kept. It is read in a transaction of its own, because a transaction without pending
/// requests ends.
async fn kept_model() -> Result<Option<String>, Error> {
    let Some(transaction) = database::begin(&[VECTORS], TransactionMode::ReadOnly)? else {
        return Ok(None);
    };
    let store = transaction.object_store(VECTORS)?;
    let mark = store.get(Query::Key(MODEL.into()))?.await?;
    Ok(mark.and_then(|mark| mark.as_string()))
}

/// Changes what is kept, in one transaction.
async fn write(change: impl FnOnce(&ObjectStore) -> Result<(), Error>) -> Result<(), Error> {
    let Some(transaction) = database::begin(&[VECTORS], TransactionMode::ReadWrite)? else {
        return Ok(());
    };
    change(&transaction.object_store(VECTORS)?)?;
    database::commit(transaction).await
}

/// Runs a task once the database is open; an error costs a warning.
fn when_open<T: Default + 'static>(
    task: impl Future<Output = Result<T, Error>> + 'static,
) -> LocalBoxFuture<'static, T> {
    database::to_its_end(async move {
        database::wait_for_opening().await;
        task.await.unwrap_or_else(|error| {
            warn!("The vectors of messages are not kept or read as they should. {error}");
            T::default()
        })
    })
}

impl Vectors for BrowserVectors {
    fn read(&self, model: String, chat: Id) -> LocalBoxFuture<'static, Vec<(Id, Vec<u8>)>> {
        when_open(async move {
            if kept_model().await?.as_deref() != Some(&*model) {
                return Ok(Vec::new());
            }
            let Some(transaction) = database::begin(&[VECTORS], TransactionMode::ReadOnly)? else {
                return Ok(Vec::new());
            };
            let store = transaction.object_store(VECTORS)?;
            // Start both requests before waiting, for the same reason.
            let keys = store.get_all_keys(Some(Query::KeyRange(keys_of(chat)?)), None)?;
            let values = store.get_all(Some(Query::KeyRange(keys_of(chat)?)), None)?;
            let (keys, values) = join(keys.into_future(), values.into_future()).await;
            let entry = |(key, value): (JsValue, JsValue)| {
                let key = key.as_string()?;
                let (_, message) = key.split_once('/')?;
                let bytes: Uint8Array = value.dyn_into().ok()?;
                Some((message.parse().ok()?, bytes.to_vec()))
            };
            Ok(keys?.into_iter().zip(values?).filter_map(entry).collect())
        })
    }

    fn keep(
        &self,
        model: String,
        chat: Id,
        vectors: Vec<(Id, Vec<u8>)>,
    ) -> LocalBoxFuture<'static, ()> {
        when_open(async move {
            let is_same = kept_model().await?.as_deref() == Some(&*model);
            if is_closed() {
                return Ok(());
            }
            write(|store| {
                if !is_same {
                    store.clear()?;
                    store.put(&model.into(), Some(&MODEL.into()))?;
                }
                for (message, bytes) in &vectors {
                    store.put(&Uint8Array::from(&**bytes), Some(&key(chat, *message)))?;
                }
                Ok(())
            })
            .await
        })
    }

    fn delete(&self, deleted: Vec<(Id, Option<Id>)>) -> LocalBoxFuture<'static, ()> {
        when_open(write(|store| {
            for (chat, message) in deleted {
                let keys = match message {
                    Some(message) => Query::Key(key(chat, message)),
                    None => Query::KeyRange(keys_of(chat)?),
                };
                store.delete(keys)?;
            }
            Ok(())
        }))
    }

    fn clear(&self) -> LocalBoxFuture<'static, ()> {
        when_open(write(|store| store.clear().map(drop)))
    }
}
