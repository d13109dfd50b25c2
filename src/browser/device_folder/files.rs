//! The files of a folder of this device.

use futures::FutureExt;
use js_sys::{IteratorNext, Uint8Array};
use leptos::logging::warn;
use sash_backup::{FileAnswer, FolderEntry, FolderFiles};
use sash_browser_kit::clock;
use sash_calls::{BackupFault, BackupProblem};
use sash_wire::Fault;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DomException, File, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemGetDirectoryOptions, FileSystemGetFileOptions, FileSystemHandle,
    FileSystemHandleKind, FileSystemWritableFileStream,
};

/// The files of a folder.
pub struct DeviceFiles(pub FileSystemDirectoryHandle);

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
            match JsFuture::from(next).await {
                Ok(next) => folder = next.unchecked_into(),
                // One that is to be made and has no place is in a folder that is gone.
                Err(error) if !make && is_missing(&error) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(folder))
    }

    async fn file(&self, path: &str) -> Result<Option<File>, JsValue> {
        let Some((folder, name)) = self.place(path, false).await? else {
            return Ok(None);
        };
        let handle = folder.get_file_handle(name);
        let Some(handle) = unless_missing(JsFuture::from(handle).await)? else {
            return Ok(None);
        };
        let handle: FileSystemFileHandle = handle.unchecked_into();
        let file = unless_missing(JsFuture::from(handle.get_file()).await)?;
        let file: Option<File> = file.map(JsCast::unchecked_into);
        // An empty one was made by a write that was broken off.
        Ok(file.filter(|file| file.size() > 0.0))
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

    /// Writes a file. What was made for a write that failed is removed.
    async fn write_bytes(&self, path: &str, bytes: &[u8]) -> Result<(), JsValue> {
        let is_new = self.file(path).await?.is_none();
        let written = self.replace(path, bytes).await;
        if written.is_err() && is_new {
            // The first failure is the one that counts.
            self.remove_entry(path).await.ok();
        }
        written
    }

    /// Replaces a file: the browser writes beside its place and renames it at the end.
    async fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), JsValue> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(true);
        let Some((folder, name)) = self.place(path, true).await? else {
            // A write that wrote nothing is none.
            return Err(JsValue::UNDEFINED);
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
            unless_missing(JsFuture::from(folder.remove_entry(name)).await)?;
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
            let next = JsFuture::from(values.next()?).await?;
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

/// The name of an exception; empty for anything else.
pub fn error_name(error: &JsValue) -> String {
    let error = error.dyn_ref::<DomException>();
    error.map(DomException::name).unwrap_or_default()
}

fn is_missing(error: &JsValue) -> bool {
    error_name(error) == "NotFoundError"
}

/// `None` for what is not there.
fn unless_missing(result: Result<JsValue, JsValue>) -> Result<Option<JsValue>, JsValue> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a failure means to the person. The cause is in the console.
fn fault(error: JsValue) -> Fault {
    warn!("The folder of the backup: {error:?}");
    let problem = match error_name(&error).as_str() {
        "QuotaExceededError" => BackupProblem::Full,
        "NotAllowedError" | "SecurityError" => BackupProblem::Denied,
        "NotFoundError" => BackupProblem::Gone,
        "TypeMismatchError" => BackupProblem::NotPlain,
        _ => BackupProblem::Other,
    };
    BackupFault::Failed { problem }.into()
}
