//! Opening the directory at the start of a server, and why it cannot be used.

use super::disk::Disk;
use super::keys::Keys;
use super::news::Board;
use super::{Backup, at_once};
use crate::BackupKey;
use crate::directory::{BackupDirectory, HeaderCache};
use crate::files::DirectoryFiles;
use sash_door::guard::FailedAttempts;
use sash_door::state::{inherits_privacy, state_directory, state_variables};
use sash_door::{System, disk};
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use tokio::sync::watch;

/// Why the backup cannot be used, as a sentence for the person.
#[derive(Debug)]
pub struct BackupError(pub String);

/// Where a server keeps a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupPlaces {
    /// The directory with the chats.
    pub directory: PathBuf,
    /// The directory with the keys; `None` where the environment names none.
    pub state: Option<PathBuf>,
}

impl BackupPlaces {
    /// A directory, with the keys where the program keeps its state.
    #[must_use]
    pub fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            state: state_directory(),
        }
    }
}

impl Backup {
    /// Opens the directory, or creates it. It waits for nobody but for a write that another Sash is at.
    ///
    /// # Errors
    /// [`BackupError`]: the directory has other things in it, or it or the place of the keys cannot be used.
    pub fn open(places: &BackupPlaces) -> Result<Self, BackupError> {
        let said = places.directory.display();
        let cannot =
            |error: io::Error| BackupError(format!("--backup: {said} cannot be used: {error}."));
        let variables = state_variables(System::HERE);
        let state = places.state.as_deref().ok_or_else(|| {
            BackupError(format!(
                "--backup: there is no place for the key. Set {variables}."
            ))
        })?;
        // The person may name a link; within the directory none is followed.
        disk::create_private(&places.directory).map_err(cannot)?;
        let disk = Disk::new(&places.directory).map_err(cannot)?;
        let headers = HeaderCache::default();
        let among_others = disk.lock();
        // Before the keys are made: a directory that is refused leaves nothing behind.
        at_once(BackupDirectory::new(&disk, &BackupKey::default(), &headers).open())
            .map_err(|fault| BackupError(format!("--backup: {said} cannot be used. {fault}")))?;
        if let Err(error) = disk::make_private(&disk.root) {
            // A disk that knows no permissions, as that of a USB stick.
            tracing::warn!(%error, "others on this machine may be able to read the backup");
        }
        if !inherits_privacy(&disk.root) {
            tracing::warn!(
                "others on this machine may be able to read the backup: it is outside of your user folder, and Windows gives it the permissions of the folder that it is in"
            );
        }
        let keys = Keys::open(state, &disk).map_err(|error| {
            let state = state.display();
            BackupError(format!(
                "--backup: the keys in {state} cannot be used: {error}. Name another place for them: set {variables}."
            ))
        })?;
        // It is for the person alone.
        let is_of_others = keys.sign(&disk).unwrap_or_else(|error| {
            tracing::warn!(%error, "whose key the backup is sealed by cannot be noted in it");
            false
        });
        drop(among_others);
        Ok(Self {
            news: watch::Sender::new(Board::new(disk.now())),
            disk,
            keys,
            headers,
            is_of_others,
            attempts: FailedAttempts::default(),
            listed: Mutex::default(),
            writing: Mutex::default(),
        })
    }
}
