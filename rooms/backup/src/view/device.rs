//! A directory of this device that the person chose for the backup: the File System Access API, which Chromium has. The
//! browser keeps the handle in the database, and asks the person again from time to time.

mod files;

use self::files::{DeviceFiles, error_name};
use crate::store::{DatabaseUnread, DeviceDirectories, DeviceDirectory};
use async_trait::async_trait;
use idb::{Error, Query, TransactionMode};
use js_sys::{Array, Object, Promise, Reflect};
use leptos::logging::warn;
use leptos::prelude::window;
use sash_chat::Id;
use sash_view::browser::database;
use sash_view::browser::ids;
use std::any::Any;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::FileSystemDirectoryHandle;

/// The store of the database that has it, by the name that earlier versions gave it.
pub const DIRECTORIES: &str = "folders";
/// Its key there.
const BACKUP: &str = "backup";

// web-sys has them only among its unstable interfaces.
#[wasm_bindgen]
extern "C" {
    type PickerWindow;
    #[wasm_bindgen(method, catch, js_name = showDirectoryPicker)]
    fn show_directory_picker(this: &PickerWindow, options: &JsValue) -> Result<Promise, JsValue>;

    type PermissionHandle;
    #[wasm_bindgen(method, catch, js_name = queryPermission)]
    fn query_permission(this: &PermissionHandle, mode: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = requestPermission)]
    fn request_permission(this: &PermissionHandle, mode: &JsValue) -> Result<Promise, JsValue>;
}

/// The directories of this device.
#[derive(Clone, Copy, Debug)]
pub struct BrowserDirectories;

#[async_trait(?Send)]
impl DeviceDirectories for BrowserDirectories {
    fn exist(&self) -> bool {
        Reflect::has(&window(), &"showDirectoryPicker".into()).unwrap_or(false)
    }

    async fn choose(&self) -> Option<DeviceDirectory> {
        let window: PickerWindow = window().unchecked_into();
        let asked = window.show_directory_picker(&js_object(&[
            ("id", "sash-backup"),
            ("mode", "readwrite"),
            ("startIn", "documents"),
        ]));
        let handle = match JsFuture::from(asked.ok()?).await {
            Ok(handle) => handle,
            Err(error) => {
                if error_name(&error) != "AbortError" {
                    warn!("No folder can be chosen: {error:?}");
                }
                return None;
            }
        };
        Some(directory(ids::new_id(), handle.unchecked_into()).await)
    }

    async fn remember(&self, directory: DeviceDirectory) -> bool {
        let id = JsValue::from_str(&directory.id.to_string());
        match directory.handle.downcast_ref::<FileSystemDirectoryHandle>() {
            Some(handle) => or_warn(write(Some(Array::of2(&id, handle))).await).is_ok(),
            None => false,
        }
    }

    async fn remembered(&self) -> Result<Option<DeviceDirectory>, DatabaseUnread> {
        Ok(match or_warn(read().await)? {
            Some((id, handle)) => Some(directory(id, handle).await),
            None => None,
        })
    }

    async fn is_allowed(&self, directory: DeviceDirectory) -> bool {
        is_allowed(&directory.handle, false).await
    }

    async fn ask(&self, directory: DeviceDirectory) -> bool {
        is_allowed(&directory.handle, true).await
    }

    async fn forget(&self) {
        // Without the setting nobody looks for it.
        or_warn(write(None).await).ok();
    }
}

/// A directory with what the browser says of it now.
async fn directory(id: Id, handle: FileSystemDirectoryHandle) -> DeviceDirectory {
    let name = handle.name();
    let files = Rc::new(DeviceFiles(handle.clone()));
    let handle: Rc<dyn Any> = Rc::new(handle);
    DeviceDirectory {
        id,
        name,
        is_allowed: is_allowed(&handle, false).await,
        files,
        handle,
    }
}

/// Whether the browser lets a directory be written, after it asked the person if `asks`.
async fn is_allowed(handle: &Rc<dyn Any>, asks: bool) -> bool {
    let Some(handle) = handle.downcast_ref::<FileSystemDirectoryHandle>() else {
        return false;
    };
    let handle: &PermissionHandle = handle.unchecked_ref();
    let mode = js_object(&[("mode", "readwrite")]);
    let told = match asks {
        true => handle.request_permission(&mode),
        false => handle.query_permission(&mode),
    };
    let Ok(told) = told else {
        return false;
    };
    let state = JsFuture::from(told).await;
    state.is_ok_and(|state| state == "granted")
}

async fn read() -> Result<Option<(Id, FileSystemDirectoryHandle)>, Error> {
    database::wait_for_opening().await;
    let begun = database::begin(&[DIRECTORIES], TransactionMode::ReadOnly)?;
    let transaction = begun.ok_or_else(no_database)?;
    let store = transaction.object_store(DIRECTORIES)?;
    let found = store.get(Query::Key(BACKUP.into()))?.await?;
    Ok(found.and_then(|found| {
        let found = found.dyn_into::<Array>().ok()?;
        let id = found.get(0).as_string()?.parse().ok()?;
        Some((id, found.get(1).dyn_into().ok()?))
    }))
}

async fn write(value: Option<Array>) -> Result<(), Error> {
    let begun = database::begin(&[DIRECTORIES], TransactionMode::ReadWrite)?;
    let transaction = begun.ok_or_else(no_database)?;
    let store = transaction.object_store(DIRECTORIES)?;
    match value {
        Some(value) => drop(store.put(&value, Some(&BACKUP.into()))?),
        None => drop(store.delete(Query::Key(BACKUP.into()))?),
    }
    database::commit(transaction).await
}

fn no_database() -> Error {
    Error::TransactionCommitError("there is no database".into())
}

fn or_warn<T>(result: Result<T, Error>) -> Result<T, DatabaseUnread> {
    result.map_err(|error| {
        warn!("The folder of the backup cannot be remembered. {error}");
        DatabaseUnread
    })
}

/// A JavaScript object with these fields.
fn js_object(fields: &[(&str, &str)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a new object cannot fail.
        Reflect::set(&object, &(*name).into(), &(*value).into()).ok();
    }
    object.into()
}
