//! A folder of this device that the person chose for the backup: the File System Access API, which Chromium has. The
//! browser keeps the handle in the database, and asks the person again from time to time.

use super::clock;
use super::database::{self, FOLDERS};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use idb::{Error, Query, TransactionMode};
use js_sys::{IteratorNext, Promise, Reflect, Uint8Array};
use leptos::logging::warn;
use leptos::prelude::window;
use sash_backup::{FileAnswer, FolderEntry, FolderFiles};
use sash_state::edges::{ChosenFolder, Folders};
use sash_wire::{BackupProblem, Fault};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DomException, File, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemGetDirectoryOptions, FileSystemGetFileOptions, FileSystemHandle,
    FileSystemHandleKind, FileSystemWritableFileStream,
};

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

/// The key of the handle in the database.
const BACKUP: &str = "backup";
/// What a browser's own unfinished writes end with.
const UNFINISHED: &str = ".crswap";

thread_local! {
    /// The folder that was chosen or found last.
    static CHOSEN: RefCell<Option<FileSystemDirectoryHandle>> = const { RefCell::new(None) };
}

/// The folders of this device.
#[derive(Clone, Copy, Debug)]
pub struct BrowserFolders;

impl Folders for BrowserFolders {
    fn exist(&self) -> bool {
        Reflect::has(&window(), &"showDirectoryPicker".into()).unwrap_or(false)
    }

    fn remembered(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        async {
            let found = or_warn(read_handle().await).flatten()?;
            CHOSEN.set(Some(found.clone()));
            Some(chosen(found).await)
        }
        .boxed_local()
    }

    fn choose(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        async {
            let window: PickerWindow = window().unchecked_into();
            let asked = window.show_directory_picker(&object(&[
                ("id", "sash-backup"),
                ("mode", "readwrite"),
                ("startIn", "documents"),
            ]));
            // An error is a person who chose nothing, or said no.
            let handle = JsFuture::from(asked.ok()?).await.ok()?;
            let handle: FileSystemDirectoryHandle = handle.unchecked_into();
            CHOSEN.set(Some(handle.clone()));
            Some(chosen(handle).await)
        }
        .boxed_local()
    }

    fn allow(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>> {
        async {
            let handle = CHOSEN.with_borrow(Clone::clone)?;
            let asked: &PermissionHandle = handle.unchecked_ref();
            let asked = asked.request_permission(&object(&[("mode", "readwrite")]));
            // What was answered is read from the browser.
            JsFuture::from(asked.ok()?).await.ok();
            Some(chosen(handle).await)
        }
        .boxed_local()
    }

    fn remember(&self) -> LocalBoxFuture<'static, bool> {
        async {
            let handle = CHOSEN.with_borrow(Clone::clone);
            or_warn(keep_handle(handle).await).is_some()
        }
        .boxed_local()
    }

    fn forget(&self) -> LocalBoxFuture<'static, ()> {
        async {
            CHOSEN.set(None);
            or_warn(keep_handle(None).await);
        }
        .boxed_local()
    }
}

/// A folder with what the browser says of it now.
async fn chosen(handle: FileSystemDirectoryHandle) -> ChosenFolder {
    let asked: &PermissionHandle = handle.unchecked_ref();
    let asked = asked.query_permission(&object(&[("mode", "readwrite")]));
    let state = match asked {
        Ok(asked) => JsFuture::from(asked).await.ok(),
        Err(_) => None,
    };
    ChosenFolder {
        name: handle.name(),
        is_allowed: state.is_some_and(|state| state == "granted"),
        files: Rc::new(DeviceFiles(handle)),
    }
}

async fn read_handle() -> Result<Option<FileSystemDirectoryHandle>, Error> {
    database::wait_for_opening().await;
    let Some(transaction) = database::begin(&[FOLDERS], TransactionMode::ReadOnly)? else {
        return Ok(None);
    };
    let store = transaction.object_store(FOLDERS)?;
    let found = store.get(Query::Key(BACKUP.into()))?.await?;
    Ok(found.map(JsCast::unchecked_into))
}

async fn keep_handle(handle: Option<FileSystemDirectoryHandle>) -> Result<(), Error> {
    let begun = database::begin(&[FOLDERS], TransactionMode::ReadWrite)?;
    let Some(transaction) = begun else {
        return Err(Error::TransactionCommitError("there is no database".into()));
    };
    let store = transaction.object_store(FOLDERS)?;
    match handle {
        Some(handle) => drop(store.put(&handle, Some(&BACKUP.into()))?),
        None => drop(store.delete(Query::Key(BACKUP.into()))?),
    }
    database::commit(transaction).await
}

fn or_warn<T>(result: Result<T, Error>) -> Option<T> {
    result
        .inspect_err(|error| warn!("The folder of the backup cannot be remembered. {error}"))
        .ok()
}

/// An object with texts.
fn object(fields: &[(&str, &str)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in fields {
        // Setting a field of a new object cannot fail.
        Reflect::set(&object, &(*name).into(), &(*value).into()).ok();
    }
    object.into()
}

/// The files of a folder.
struct DeviceFiles(FileSystemDirectoryHandle);

impl DeviceFiles {
    /// The folder that a path is in, and the name there; `None` if the folder is missing and is not to be made.
    async fn place<'a>(
        &self,
        path: &'a str,
        make: bool,
    ) -> Result<Option<(FileSystemDirectoryHandle, &'a str)>, JsValue> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok(self
            .folder(folder, make)
            .await?
            .map(|folder| (folder, name)))
    }

    /// A folder in it; the folder itself for an empty path.
    async fn folder(
        &self,
        path: &str,
        make: bool,
    ) -> Result<Option<FileSystemDirectoryHandle>, JsValue> {
        let options = FileSystemGetDirectoryOptions::new();
        options.set_create(make);
        let mut folder = self.0.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let next = folder.get_directory_handle_with_options(name, &options);
            match found(JsFuture::from(next).await)? {
                Some(next) => folder = next.unchecked_into(),
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    async fn file(&self, path: &str) -> Result<Option<File>, JsValue> {
        let Some((folder, name)) = self.place(path, false).await? else {
            return Ok(None);
        };
        let handle = folder.get_file_handle(name);
        let Some(handle) = found(JsFuture::from(handle).await)? else {
            return Ok(None);
        };
        let handle: FileSystemFileHandle = handle.unchecked_into();
        let file = found(JsFuture::from(handle.get_file()).await)?;
        Ok(file.map(JsCast::unchecked_into))
    }

    async fn read_bytes(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, JsValue> {
        let Some(file) = self.file(path).await? else {
            return Ok(None);
        };
        if file.size() > limit as f64 {
            warn!("{path} is too long.");
            return Err(JsValue::UNDEFINED);
        }
        let bytes = JsFuture::from(file.array_buffer()).await?;
        Ok(Some(Uint8Array::new(&bytes).to_vec()))
    }

    /// Writes a file: the browser writes beside its place and renames it at the end.
    async fn write_bytes(&self, path: &str, bytes: &[u8]) -> Result<(), JsValue> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(true);
        let Some((folder, name)) = self.place(path, true).await? else {
            return Ok(());
        };
        let handle = JsFuture::from(folder.get_file_handle_with_options(name, &options)).await?;
        let handle: FileSystemFileHandle = handle.unchecked_into();
        let stream = JsFuture::from(handle.create_writable()).await?;
        let stream: FileSystemWritableFileStream = stream.unchecked_into();
        // A copy: the memory of the program may move while the browser writes.
        let written = stream.write_with_js_u8_array(&Uint8Array::from(bytes))?;
        if let Err(error) = JsFuture::from(written).await {
            // The first failure is the one that counts.
            JsFuture::from(stream.abort()).await.ok();
            return Err(error);
        }
        JsFuture::from(stream.close()).await.map(drop)
    }

    async fn remove_entry(&self, path: &str) -> Result<(), JsValue> {
        if let Some((folder, name)) = self.place(path, false).await? {
            found(JsFuture::from(folder.remove_entry(name)).await)?;
        }
        Ok(())
    }

    async fn list(&self, path: &str) -> Result<Vec<FolderEntry>, JsValue> {
        let Some(folder) = self.folder(path, false).await? else {
            return Ok(Vec::new());
        };
        let values = folder.values();
        let mut entries = Vec::new();
        loop {
            let Some(next) = found(JsFuture::from(values.next()?).await)? else {
                break;
            };
            let next: IteratorNext = next.unchecked_into();
            if next.done() {
                break;
            }
            let handle: FileSystemHandle = next.value().unchecked_into();
            entries.push(FolderEntry {
                name: handle.name(),
                is_file: handle.kind() == FileSystemHandleKind::File,
            });
        }
        entries.retain(|entry| !entry.name.ends_with(UNFINISHED));
        entries.sort();
        Ok(entries)
    }
}

impl FolderFiles for DeviceFiles {
    fn now(&self) -> u64 {
        clock::now()
    }

    fn read<'a>(&'a self, path: &'a str, limit: u64) -> FileAnswer<'a, Option<Vec<u8>>> {
        async move { self.read_bytes(path, limit).await.map_err(fault) }.boxed_local()
    }

    fn size<'a>(&'a self, path: &'a str) -> FileAnswer<'a, Option<u64>> {
        async move {
            let file = self.file(path).await.map_err(fault)?;
            Ok(file.map(|file| file.size() as u64))
        }
        .boxed_local()
    }

    fn write<'a>(&'a self, path: &'a str, bytes: &'a [u8]) -> FileAnswer<'a, ()> {
        async move { self.write_bytes(path, bytes).await.map_err(fault) }.boxed_local()
    }

    fn remove<'a>(&'a self, path: &'a str) -> FileAnswer<'a, ()> {
        async move { self.remove_entry(path).await.map_err(fault) }.boxed_local()
    }

    fn remove_empty<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, ()> {
        async move {
            // A folder that is not empty stays.
            self.remove_entry(folder).await.ok();
            Ok(())
        }
        .boxed_local()
    }

    fn entries<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, Vec<FolderEntry>> {
        async move { self.list(folder).await.map_err(fault) }.boxed_local()
    }
}

fn name_of(error: &JsValue) -> String {
    let error = error.dyn_ref::<DomException>();
    error.map(DomException::name).unwrap_or_default()
}

/// `None` for what is not there.
fn found(result: Result<JsValue, JsValue>) -> Result<Option<JsValue>, JsValue> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if name_of(&error) == "NotFoundError" => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a failure means to the person. The cause is in the console.
fn fault(error: JsValue) -> Fault {
    warn!("The folder of the backup: {error:?}");
    let problem = match name_of(&error).as_str() {
        "QuotaExceededError" => BackupProblem::Full,
        "NotAllowedError" | "NoModificationAllowedError" | "SecurityError" => BackupProblem::Denied,
        "TypeMismatchError" => BackupProblem::NotPlain,
        _ => BackupProblem::Other,
    };
    Fault::BackupFailed { problem }
}
