//! A folder of this device that the person chose for the backup: the File System Access API, which Chromium has. The
//! browser keeps the handle in the database, and asks the person again from time to time.

mod files;

use self::files::{DeviceFiles, error_name};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use idb::{Error, Query, TransactionMode};
use js_sys::{Array, Promise, Reflect};
use leptos::logging::warn;
use leptos::prelude::window;
use sash_chat::Id;
use sash_state::{ChosenFolder, Folders};
use sash_view::browser::database;
use sash_view::browser::ids;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::FileSystemDirectoryHandle;

/// The folder of this device for the backup, in the database.
pub const FOLDERS: &str = "folders";

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

/// The key of the folder in the database.
const BACKUP: &str = "backup";

/// The folders of this device.
#[derive(Clone, Copy, Debug)]
pub struct BrowserFolders;

impl Folders for BrowserFolders {
    fn exist(&self) -> bool {
        Reflect::has(&window(), &"showDirectoryPicker".into()).unwrap_or(false)
    }

    fn choose(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        async {
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
            Some(chosen_folder(ids::new_id(), handle.unchecked_into()).await)
        }
        .boxed_local()
    }

    fn remember(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        async move {
            let id = JsValue::from_str(&folder.id.to_string());
            let value = handle_of(&folder).map(|handle| Array::of2(&id, &handle));
            value.is_some() && or_warn(write_folder(value).await).is_some()
        }
        .boxed_local()
    }

    fn remembered(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        async {
            let (id, handle) = or_warn(read_folder().await).flatten()?;
            Some(chosen_folder(id, handle).await)
        }
        .boxed_local()
    }

    fn is_allowed(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        async move {
            match handle_of(&folder) {
                Some(handle) => is_allowed(&handle).await,
                None => false,
            }
        }
        .boxed_local()
    }

    fn ask(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool> {
        async move {
            let Some(handle) = handle_of(&folder) else {
                return false;
            };
            let asked: &PermissionHandle = handle.unchecked_ref();
            if let Ok(asked) = asked.request_permission(&js_object(&[("mode", "readwrite")])) {
                // What was answered is read from the browser.
                JsFuture::from(asked).await.ok();
            }
            is_allowed(&handle).await
        }
        .boxed_local()
    }

    fn forget(&self) -> LocalBoxFuture<'static, ()> {
        async {
            or_warn(write_folder(None).await);
        }
        .boxed_local()
    }
}

/// A folder with what the browser says of it now.
async fn chosen_folder(id: Id, handle: FileSystemDirectoryHandle) -> ChosenFolder {
    ChosenFolder {
        id,
        name: handle.name(),
        is_allowed: is_allowed(&handle).await,
        files: Rc::new(DeviceFiles(handle.clone())),
        handle: Rc::new(handle),
    }
}

fn handle_of(folder: &ChosenFolder) -> Option<FileSystemDirectoryHandle> {
    folder.handle.downcast_ref().cloned()
}

async fn is_allowed(handle: &FileSystemDirectoryHandle) -> bool {
    let asked: &PermissionHandle = handle.unchecked_ref();
    let Ok(asked) = asked.query_permission(&js_object(&[("mode", "readwrite")])) else {
        return false;
    };
    let state = JsFuture::from(asked).await;
    state.is_ok_and(|state| state == "granted")
}

async fn read_folder() -> Result<Option<(Id, FileSystemDirectoryHandle)>, Error> {
    database::wait_for_opening().await;
    let Some(transaction) = database::begin(&[FOLDERS], TransactionMode::ReadOnly)? else {
        return Ok(None);
    };
    let store = transaction.object_store(FOLDERS)?;
    let found = store.get(Query::Key(BACKUP.into()))?.await?;
    Ok(found.and_then(|found| {
        let found = found.dyn_into::<Array>().ok()?;
        let id = found.get(0).as_string()?.parse().ok()?;
        Some((id, found.get(1).dyn_into().ok()?))
    }))
}

async fn write_folder(value: Option<Array>) -> Result<(), Error> {
    let begun = database::begin(&[FOLDERS], TransactionMode::ReadWrite)?;
    let Some(transaction) = begun else {
        return Err(Error::TransactionCommitError("there is no database".into()));
    };
    let store = transaction.object_store(FOLDERS)?;
    match value {
        Some(value) => drop(store.put(&value, Some(&BACKUP.into()))?),
        None => drop(store.delete(Query::Key(BACKUP.into()))?),
    }
    database::commit(transaction).await
}

fn or_warn<T>(result: Result<T, Error>) -> Option<T> {
    result
        .inspect_err(|error| warn!("The folder of the backup cannot be remembered. {error}"))
        .ok()
}

/// A JavaScript object with these fields.
fn js_object(fields: &[(&str, &str)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in fields {
        // Setting a field of a new object cannot fail.
        Reflect::set(&object, &(*name).into(), &(*value).into()).ok();
    }
    object.into()
}
