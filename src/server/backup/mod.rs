//! The backup (`--backup FOLDER`): the chats of one person in plain files, which the page hands over as they change.
//!
//! | file | what it is |
//! | --- | --- |
//! | `key` | what a browser must know to read or write here; only the owner of the folder can read it |
//! | `lock` | which Sash uses the folder, with a heartbeat |
//! | `chats/<chat>.jsonl` | a chat, in the form of [`sash_transfer::backup`] |
//! | `prompts-and-folders.jsonl` | the prompts that the person keeps, and the folders of the list, in the same form |
//! | `images/<hash>.png`, `.jpg` | the images of the messages |
//! | `versions/<chat>/<time>-v<version>.jsonl` | what a chat's file was before |
//!
//! A file is written beside its place, flushed to the disk and renamed, so there is never half of one. Names are made of
//! ids and hashes alone, and no link is followed. [`Chats`](chats) has the rules, [`Folder`] the files.

mod chats;
mod disk;
mod error;
mod folder;
mod images;
mod key;
mod lock;
mod news;
mod prompts;
mod purge;
mod versions;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use self::error::BackupError;

use self::error::{failed, now};
use self::folder::Folder;
use self::key::FolderKey;
use self::lock::FolderLock;
use self::news::News;
use crate::server::guard::FailedAttempts;
use crate::server::stop::StopSignal;
use sash_wire::{BackupKey, BackupNews, BackupNewsRequest, BackupProblem, Fault};
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often the lock is renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often older versions are looked through, in heartbeats.
const BEATS_PER_PRUNING: u32 = 360;

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

    /// The part of an address that holds the key.
    #[must_use]
    pub fn fragment(&self) -> String {
        self.key.fragment()
    }

    /// Compares the key that a client gave.
    ///
    /// # Errors
    /// [`Fault::BackupLocked`], and [`Fault::TooManyAttempts`] instead of it after ten wrong ones within a minute.
    pub fn check_key(&self, key: &BackupKey, client: IpAddr) -> Result<(), Fault> {
        if self.key.is(key) {
            return Ok(());
        }
        if !key.0.is_empty() {
            self.attempts.count(client)?;
        }
        Err(Fault::BackupLocked)
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
            self.remove_unfinished()?;
            self.folder.prune_versions(now())
        });
        if let Err(fault) = pruned {
            tracing::warn!(%fault, "older versions in the backup could not be looked through");
        }
    }
}
