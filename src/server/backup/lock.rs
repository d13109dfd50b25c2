//! The lock of a folder: one Sash writes there. On one machine the system's lock of the file says so; another machine,
//! which may have the folder over a network or by synchronisation, sees the heartbeat.

use super::disk;
use super::error::BackupError;
use super::folder::Folder;
use sash_backup::BEAT_LIFETIME;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most bytes of the file that are read.
const MAX_LOCK_BYTES: u64 = 4096;

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    /// The run of the program, which no other has.
    run: String,
    /// The name of the machine.
    #[serde(default)]
    host: String,
    /// How often the lock was renewed.
    #[serde(default)]
    beats: u64,
}

/// A lock that is held.
pub struct FolderLock {
    path: PathBuf,
    /// Holds the system's lock as long as it is open.
    file: Mutex<(File, Holder)>,
    is_ours: AtomicBool,
}

impl FolderLock {
    /// Acquires the lock.
    pub fn acquire(folder: &Folder) -> Result<Self, BackupError> {
        let path = folder.path("lock");
        let said = folder.root().display();
        let cannot =
            |error: io::Error| BackupError(format!("--backup: {said} cannot be locked: {error}."));
        let file = disk::open_or_create(&path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BackupError(format!(
                    "--backup: another Sash already uses {said}. Stop it, or name another folder."
                )));
            }
            // A file system without locks has the heartbeat alone.
            Err(TryLockError::Error(error)) => tracing::debug!(%error, "no locks in the backup"),
        }
        let host = sysinfo::System::host_name().unwrap_or_default();
        let before = disk::read(&path, MAX_LOCK_BYTES).map_err(cannot)?;
        let before = before.and_then(|text| serde_json::from_str::<Holder>(&text).ok());
        let age = file.metadata().and_then(|data| data.modified());
        let age = age.map_err(cannot)?.elapsed().unwrap_or_default();
        if let Some(before) = before.filter(|before| before.host != host && age < BEAT_LIFETIME) {
            return Err(BackupError(format!(
                "--backup: a Sash on “{}” uses {said}. Stop it, or wait a minute if it was stopped hard.",
                before.host
            )));
        }
        let mut run = [0_u8; 16];
        getrandom::fill(&mut run)
            .map_err(|_| cannot(io::Error::other("this machine gives no random numbers")))?;
        let holder = Holder {
            run: run.iter().map(|byte| format!("{byte:02x}")).collect(),
            host,
            beats: 0,
        };
        let lock = Self {
            path,
            file: Mutex::new((file, holder)),
            is_ours: AtomicBool::new(true),
        };
        lock.renew().map_err(cannot)?;
        Ok(lock)
    }

    /// Whether nobody else has taken the folder.
    pub fn is_ours(&self) -> bool {
        self.is_ours.load(Ordering::Acquire)
    }

    /// Renews the lock, unless somebody else has taken it: then nothing is written any more.
    pub fn beat(&self) {
        let said = disk::read(&self.path, MAX_LOCK_BYTES).ok().flatten();
        let said = said.and_then(|text| serde_json::from_str::<Holder>(&text).ok());
        let is_taken = {
            let held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            said.is_some_and(|other| other.run != held.1.run)
        };
        if is_taken {
            tracing::error!("another Sash has taken the folder of the backup");
        } else if let Err(error) = self.renew() {
            tracing::warn!(%error, "the lock of the backup cannot be renewed");
        }
        self.is_ours.store(!is_taken, Ordering::Release);
    }

    fn renew(&self) -> io::Result<()> {
        let mut held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, holder) = &mut *held;
        if self.path.symlink_metadata().is_err() {
            // Somebody removed the file; the lock of the system goes on with a new one.
            *file = disk::open_or_create(&self.path)?;
            file.try_lock().ok();
        }
        holder.beats += 1;
        let text = serde_json::to_string(holder).unwrap_or_default() + "\n";
        file.rewind()?;
        file.write_all(text.as_bytes())?;
        file.set_len(text.len() as u64)
    }

    /// Gives the lock back.
    pub fn release(&self) {
        if self.is_ours.swap(false, Ordering::AcqRel) {
            let held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = held.0.set_len(0).and_then(|()| held.0.unlock()) {
                tracing::debug!(%error, "the lock of the backup was not given back");
            }
        }
    }
}
