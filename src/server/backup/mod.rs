//! The backup (`--backup FOLDER`): the chats of one person in plain files, which the page hands over as they change.
//!
//! What is in the folder, and by which rules it is written, is [`sash_backup`]'s. Here are its files on the disk, and:
//!
//! | file | what it is |
//! | --- | --- |
//! | `key` | what a browser must know to read or write here; only the owner of the folder can read it |
//! | `lock` | which Sash uses the folder, with a heartbeat |
//!
//! A file is written beside its place, flushed to the disk and renamed, so there is never half of one. No link is followed.

pub(crate) mod disk;
mod error;
mod files;
mod folder;
mod key;
mod lock;
mod news;
mod secret;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use self::error::BackupError;

use self::error::{failed, now};
use self::folder::Folder;
use self::key::FolderKey;
use self::lock::FolderLock;
use self::news::News;
use futures::FutureExt;
use sash_backup::BackupFolder;
use sash_calls::{
    BackupFault, BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList, BackupListRequest,
    BackupNews, BackupNewsRequest, BackupProblem, BackupPrompts, BackupPromptsRequest,
    BackupPurgeRequest, BackupPurged, BackupPut, BackupPutImageRequest, BackupPutRequest,
    BackupText,
};
use sash_door::guard::FailedAttempts;
use sash_door::stop::StopSignal;
use sash_server::context::{client, state};
use sash_wire::Fault;
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often the lock is renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often older versions are looked through, in heartbeats.
const BEATS_PER_PRUNING: u32 = 360;

/// The backup, inside a server function whose caller knows its key.
///
/// # Errors
/// [`BackupFault::Off`], and those of [`Backup::check_key`].
pub fn opened_with(key: &BackupKey) -> Result<Arc<Backup>, Fault> {
    let backup = state::<Option<Arc<Backup>>>()?.ok_or(BackupFault::Off)?;
    backup.check_key(key, client()?)?;
    Ok(backup)
}

/// The backup of one person.
pub struct Backup {
    folder: Folder,
    key: FolderKey,
    lock: FolderLock,
    attempts: FailedAttempts,
    /// What was written, for the browsers that follow the folder.
    news: News,
    /// Held while something is written: one at a time.
    writing: Mutex<()>,
}

impl fmt::Debug for Backup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backup").finish_non_exhaustive()
    }
}

impl Backup {
    /// Opens the folder, or creates it, and takes its lock.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let folder = Folder::open(path)?;
        let key = FolderKey::open(&folder)?;
        let lock = FolderLock::acquire(&folder)?;
        folder.prepare()?;
        let backup = Self {
            folder,
            key,
            lock,
            attempts: FailedAttempts::default(),
            news: News::new(now()),
            writing: Mutex::default(),
        };
        backup.prune();
        Ok(backup)
    }

    /// The key of the folder.
    #[must_use]
    pub fn key(&self) -> BackupKey {
        self.key.get()
    }

    /// Gives the folder another key; the former one ends.
    ///
    /// # Errors
    /// That the file of the key cannot be written.
    pub fn replace_key(&self) -> Result<(), Fault> {
        self.write(|| self.key.replace(&self.folder))
    }

    /// Compares the key that a client gave.
    ///
    /// # Errors
    /// [`BackupFault::Locked`], and [`Fault::TooManyAttempts`] instead of it after ten wrong ones within a minute;
    /// [`Fault::OpenedTwice`] for a key that was replaced.
    pub fn check_key(&self, key: &BackupKey, client: IpAddr) -> Result<(), Fault> {
        let checked = self.key.check(key);
        if checked == Err(BackupFault::Locked.into()) && !key.0.is_empty() {
            self.attempts.count(client)?;
        }
        checked
    }

    /// Renews the lock until the server stops, and then gives it back.
    pub async fn keep_lock(self: Arc<Self>, mut stop: StopSignal) {
        let mut beats = 0_u32;
        loop {
            tokio::select! {
                () = stop.wait() => break,
                () = tokio::time::sleep(HEARTBEAT) => {}
            }
            beats = beats.wrapping_add(1);
            let backup = Arc::clone(&self);
            let beat = tokio::task::spawn_blocking(move || {
                backup.lock.beat();
                if beats.is_multiple_of(BEATS_PER_PRUNING) {
                    backup.prune();
                }
            });
            if let Err(error) = beat.await {
                tracing::error!(%error, "the lock of the backup was not renewed");
            }
        }
        self.news.close();
        self.lock.release();
    }

    /// What is new in the folder; waits some time until something is.
    pub async fn news(&self, request: &BackupNewsRequest) -> BackupNews {
        self.news.wait(request).await
    }

    /// Runs what reads or writes files, away from the threads that serve.
    ///
    /// # Errors
    /// Those of `run`.
    pub async fn blocking<T: Send + 'static>(
        self: Arc<Self>,
        run: impl FnOnce(&Self) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let done = tokio::task::spawn_blocking(move || run(&self)).await;
        done.unwrap_or_else(|error| {
            tracing::error!(%error, "the backup failed");
            Err(Fault::Internal)
        })
    }

    /// What is in the folder.
    ///
    /// # Errors
    /// Those of [`BackupFolder::list`].
    pub fn list(&self, request: &BackupListRequest) -> Result<BackupList, Fault> {
        // Before the files are read: what is written meanwhile is told once more.
        let at = self.news.at();
        let list = at_once(self.rules().list(request.writer))?;
        Ok(BackupList {
            at,
            is_versioned: list.is_versioned || self.folder.is_versioned(),
            ..list
        })
    }

    /// The file of a chat.
    ///
    /// # Errors
    /// Those of [`BackupFolder::get`].
    pub fn get(&self, request: &BackupGetRequest) -> Result<BackupText, Fault> {
        at_once(self.rules().get(request.chat)).map(|text| BackupText { text })
    }

    /// The bytes of an image in base64.
    ///
    /// # Errors
    /// Those of [`BackupFolder::get_image`].
    pub fn get_image(&self, request: &BackupGetImageRequest) -> Result<BackupText, Fault> {
        at_once(self.rules().get_image(request.hash)).map(|text| BackupText { text })
    }

    /// Writes a chat.
    ///
    /// # Errors
    /// Those of [`BackupFolder::put`].
    pub fn put(&self, request: &BackupPutRequest) -> Result<BackupPut, Fault> {
        self.write(|| at_once(self.rules().put(request)))
    }

    /// Keeps an image.
    ///
    /// # Errors
    /// Those of [`BackupFolder::put_image`].
    pub fn put_image(&self, request: &BackupPutImageRequest) -> Result<(), Fault> {
        self.write(|| at_once(self.rules().put_image(request)))
    }

    /// Joins prompts and folders with those of the folder, or reads these.
    ///
    /// # Errors
    /// Those of [`BackupFolder::prompts`].
    pub fn prompts(&self, request: &BackupPromptsRequest) -> Result<BackupPrompts, Fault> {
        match request.text {
            Some(_) => self.write(|| at_once(self.rules().prompts(request))),
            None => at_once(self.rules().prompts(request)),
        }
    }

    /// Removes chats and messages for good.
    ///
    /// # Errors
    /// Those of [`BackupFolder::purge`].
    pub fn purge(&self, request: &BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        self.write(|| at_once(self.rules().purge(request)))
    }

    fn rules(&self) -> BackupFolder<'_, Self> {
        BackupFolder::new(self)
    }

    /// Runs what writes, alone, and only while the folder is ours.
    fn write<T>(&self, run: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
        // Each write is atomic, so one that panicked left nothing half done.
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        match self.lock.is_ours() {
            true => run(),
            false => Err(failed(BackupProblem::Taken)),
        }
    }

    fn prune(&self) {
        let pruned = self.write(|| {
            at_once(self.rules().remove_unfinished())?;
            at_once(self.rules().prune_versions())
        });
        if let Err(fault) = pruned {
            tracing::warn!(%fault, "older versions in the backup could not be looked through");
        }
    }
}

/// The result of an operation on the disk, which waits for nothing.
fn at_once<T>(done: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    done.now_or_never().unwrap_or(Err(Fault::Internal))
}
