//! The files of a directory of this device.

use crate::files::{DirEntry, DirectoryFiles, FileStat, MAX_ENTRIES};
use crate::{BackupFault, BackupProblem};
use async_trait::async_trait;
use js_sys::{IteratorNext, Uint8Array};
use leptos::logging::warn;
use sash_browser_kit::clock;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DomException, File, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemGetDirectoryOptions, FileSystemGetFileOptions, FileSystemHandle,
    FileSystemHandleKind, FileSystemWritableFileStream,
};

/// The files of a directory.
pub struct DeviceFiles(pub FileSystemDirectoryHandle);

impl DeviceFiles {
    /// A directory in it, itself for an empty path; `None` if it is missing, and one that is to be made if there is no place for
    /// it.
    async fn directory(
        &self,
        path: &str,
        make: bool,
    ) -> Result<Option<FileSystemDirectoryHandle>, BackupFault> {
        let options = FileSystemGetDirectoryOptions::new();
        options.set_create(make);
        let mut directory = self.0.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let next = directory.get_directory_handle_with_options(name, &options);
            let Some(next) = unless_missing(JsFuture::from(next).await)? else {
                return Ok(None);
            };
            directory = next.unchecked_into();
        }
        Ok(Some(directory))
    }

    /// The directory that a path is in, and the name there.
    async fn place<'a>(
        &self,
        path: &'a str,
        make: bool,
    ) -> Result<Option<(FileSystemDirectoryHandle, &'a str)>, BackupFault> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let directory = self.directory(directory, make).await?;
        Ok(directory.map(|directory| (directory, name)))
    }

    async fn file(&self, path: &str) -> Result<Option<File>, BackupFault> {
        let Some((directory, name)) = self.place(path, false).await? else {
            return Ok(None);
        };
        let handle = directory.get_file_handle(name);
        let Some(handle) = unless_missing(JsFuture::from(handle).await)? else {
            return Ok(None);
        };
        let handle: FileSystemFileHandle = handle.unchecked_into();
        let file = unless_missing(JsFuture::from(handle.get_file()).await)?;
        let file: Option<File> = file.map(JsCast::unchecked_into);
        // An empty one was made by a write that was broken off.
        Ok(file.filter(|file| file.size() > 0.0))
    }

    /// Replaces a file: the browser writes beside its place and renames it at the end.
    async fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), BackupFault> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(true);
        let place = self.place(path, true).await?;
        let (directory, name) = place.ok_or(BackupProblem::Gone)?;
        let handle = directory.get_file_handle_with_options(name, &options);
        let handle: FileSystemFileHandle = JsFuture::from(handle).await?.unchecked_into();
        let stream = JsFuture::from(handle.create_writable()).await?;
        let stream: FileSystemWritableFileStream = stream.unchecked_into();
        // A copy: the memory of the program may move while the browser writes.
        let written = stream.write_with_js_u8_array(&Uint8Array::from(bytes))?;
        if let Err(error) = JsFuture::from(written).await {
            // The first failure is the one that counts.
            JsFuture::from(stream.abort()).await.ok();
            return Err(error.into());
        }
        JsFuture::from(stream.close()).await?;
        Ok(())
    }
}

#[async_trait(?Send)]
impl DirectoryFiles for DeviceFiles {
    fn now(&self) -> u64 {
        clock::now()
    }

    async fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        match self.file(path).await? {
            Some(file) if file.size() > limit as f64 => Err(BackupFault::TooLong),
            Some(file) => Ok(Some(bytes_of(&file).await?)),
            None => Ok(None),
        }
    }

    async fn head(&self, path: &str, bytes: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        let Some(file) = self.file(path).await? else {
            return Ok(None);
        };
        let head = file.slice_with_f64_and_f64(0.0, bytes as f64)?;
        Ok(Some(bytes_of(&head).await?))
    }

    async fn stat(&self, path: &str) -> Result<Option<FileStat>, BackupFault> {
        let file = self.file(path).await?;
        Ok(file.map(|file| FileStat {
            size: file.size() as u64,
            modified_ms: file.last_modified() as u64,
        }))
    }

    /// Writes a file. What was made for a write that failed is removed.
    async fn write(&self, path: &str, bytes: &[u8]) -> Result<(), BackupFault> {
        let is_new = self.file(path).await?.is_none();
        let written = self.replace(path, bytes).await;
        if written.is_err() && is_new {
            // The first failure is the one that counts.
            self.remove(path).await.ok();
        }
        written
    }

    async fn remove(&self, path: &str) -> Result<(), BackupFault> {
        if let Some((directory, name)) = self.place(path, false).await? {
            unless_missing(JsFuture::from(directory.remove_entry(name)).await)?;
        }
        Ok(())
    }

    async fn remove_empty(&self, directory: &str) -> Result<(), BackupFault> {
        if let Some((parent, name)) = self.place(directory, false).await? {
            // One that is not empty stays.
            JsFuture::from(parent.remove_entry(name)).await.ok();
        }
        Ok(())
    }

    async fn entries(&self, directory: &str) -> Result<Vec<DirEntry>, BackupFault> {
        let Some(directory) = self.directory(directory, false).await? else {
            return Ok(Vec::new());
        };
        let values = directory.values();
        let mut entries = Vec::new();
        while entries.len() < MAX_ENTRIES {
            let next: IteratorNext = JsFuture::from(values.next()?).await?.unchecked_into();
            if next.done() {
                break;
            }
            let handle: FileSystemHandle = next.value().unchecked_into();
            let kind = handle.kind();
            entries.push(DirEntry {
                name: handle.name(),
                is_file: kind == FileSystemHandleKind::File,
                is_directory: kind == FileSystemHandleKind::Directory,
            });
        }
        entries.sort();
        Ok(entries)
    }
}

async fn bytes_of(file: &Blob) -> Result<Vec<u8>, JsValue> {
    let bytes = JsFuture::from(file.array_buffer()).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

/// The name of an exception; empty for anything else.
pub fn error_name(error: &JsValue) -> String {
    let error = error.dyn_ref::<DomException>();
    error.map(DomException::name).unwrap_or_default()
}

/// `None` for what is not there.
fn unless_missing(result: Result<JsValue, JsValue>) -> Result<Option<JsValue>, JsValue> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error_name(&error) == "NotFoundError" => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a failure means to the person. The cause is in the console.
impl From<JsValue> for BackupFault {
    fn from(error: JsValue) -> Self {
        warn!("The folder of the backup: {error:?}");
        let problem = match error_name(&error).as_str() {
            "QuotaExceededError" => BackupProblem::Full,
            "NotAllowedError" | "SecurityError" => BackupProblem::Denied,
            "NotFoundError" => BackupProblem::Gone,
            "TypeMismatchError" => BackupProblem::NotPlain,
            _ => BackupProblem::Other,
        };
        problem.into()
    }
}
