//! The files of the directory on the disk.
//!
//! A file is written in `tmp/`, flushed to the disk and renamed, so there is never half of one. No link is followed, also not
//! one that takes the place of a directory while the server runs.

use crate::directory::paths::{TMP, VERSIONING};
use crate::files::{DirEntry, DirectoryFiles, FileStat, MAX_ENTRIES};
use crate::key::sha256;
use crate::{BackupFault, BackupProblem};
use async_trait::async_trait;
use sash_door::random::random_digits;
use sash_door::{System, disk};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a write looks whether that of another Sash has ended, and how long it waits each time.
const LOCK_ATTEMPTS: usize = 1000;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// The directory on the disk.
#[derive(Debug)]
pub(crate) struct Disk {
    /// Its path without any link in it.
    pub root: PathBuf,
}

impl Disk {
    /// The directory at a path, which may be a link: what is named by the person is.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn new(path: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(path)?;
        Ok(Self { root })
    }

    /// Whether the directory is under version control, which keeps what is deleted.
    pub fn is_versioned(&self) -> bool {
        let mut directories = self.root.ancestors();
        directories.any(|directory| VERSIONING.iter().any(|name| directory.join(name).exists()))
    }

    /// Lets no other Sash of this machine write until the file is dropped: two that write in turns take nothing from each
    /// other. It is a lock of the system, which ends with the process. Where there is none, or another program holds it, the
    /// rules of the files have to do.
    pub fn lock(&self) -> Option<File> {
        let lockable = self.open_lockable(System::HERE).ok()?;
        for _ in 0..LOCK_ATTEMPTS {
            match lockable.try_lock() {
                Err(TryLockError::WouldBlock) => sleep(LOCK_PAUSE),
                _ => return Some(lockable),
            }
        }
        tracing::warn!("another program has locked the directory of the backup");
        None
    }

    /// What is locked: the directory itself. Windows locks no directory, and keeps everybody from reading a locked file, so
    /// there it is a file outside.
    pub(super) fn open_lockable(&self, system: System) -> io::Result<File> {
        match system {
            System::Windows => File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(self.lock_file()),
            System::Linux | System::MacOs => File::open(&self.root),
        }
    }

    /// An empty file among the temporary ones of the user, named after the directory.
    pub(super) fn lock_file(&self) -> PathBuf {
        let name = sha256(&self.root.to_string_lossy());
        std::env::temp_dir().join(format!("sash-backup-{name}.lock"))
    }

    /// A directory in it, the root for an empty path; `None` if it is missing and is not to be made.
    ///
    /// # Errors
    /// [`disk::not_plain`] if there is a link on the way, [`ErrorKind::NotFound`] if the root is gone, and those of the disk.
    fn directory(&self, path: &str, make: bool) -> io::Result<Option<PathBuf>> {
        let mut directory = self.root.clone();
        if !disk::is_directory(&directory)? {
            return Err(ErrorKind::NotFound.into());
        }
        for name in path.split('/').filter(|name| !name.is_empty()) {
            directory.push(name);
            if disk::is_directory(&directory)? {
                continue;
            }
            if !make {
                return Ok(None);
            }
            disk::create_private(&directory)?;
            disk::sync_parent(&directory)?;
        }
        Ok(Some(directory))
    }

    /// The place of a file; `None` if the directory that it is in is missing and is not to be made.
    fn place(&self, path: &str, make: bool) -> io::Result<Option<PathBuf>> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let directory = self.directory(directory, make)?;
        Ok(directory.map(|directory| directory.join(name)))
    }

    /// Reads something of a file; `None` if there is none.
    fn look<T>(
        &self,
        path: &str,
        read: impl FnOnce(&Path) -> io::Result<Option<T>>,
    ) -> io::Result<Option<T>> {
        match self.place(path, false)? {
            Some(place) => read(&place),
            None => Ok(None),
        }
    }

    /// Writes a file as a whole.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let name = random_digits::<8>().map_err(io::Error::other)?;
        let temporary = self.place(&format!("{TMP}/{name}.new"), true)?;
        let places = self.place(path, true)?.zip(temporary);
        let (place, temporary) = places.ok_or(ErrorKind::NotFound)?;
        disk::replace(&place, &temporary, bytes)
    }

    /// The entries of a directory by their names. One that cannot be told is an error: who believed that it is not there would
    /// remove what it names.
    fn list(&self, directory: &str) -> io::Result<Vec<DirEntry>> {
        let Some(place) = self.directory(directory, false)? else {
            return Ok(Vec::new());
        };
        let entries = fs::read_dir(place)?.take(MAX_ENTRIES).map(|entry| {
            let entry = entry?;
            let kind = entry.file_type()?;
            Ok(DirEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_file: kind.is_file(),
                is_directory: kind.is_dir(),
            })
        });
        let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        Ok(entries)
    }
}

/// Milliseconds since 1970.
fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What a failure means to the person. The cause is logged.
impl From<io::Error> for BackupFault {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::InvalidData {
            return Self::TooLong;
        }
        tracing::warn!(%error, "the directory of the backup");
        let problem = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                BackupProblem::Full
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => BackupProblem::Denied,
            ErrorKind::NotFound | ErrorKind::StaleNetworkFileHandle => BackupProblem::Gone,
            ErrorKind::NotADirectory | ErrorKind::IsADirectory => BackupProblem::NotPlain,
            _ => BackupProblem::Other,
        };
        problem.into()
    }
}

#[async_trait(?Send)]
impl DirectoryFiles for Disk {
    fn now(&self) -> u64 {
        millis(SystemTime::now())
    }

    async fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        Ok(self.look(path, |place| disk::read(place, limit))?)
    }

    async fn head(&self, path: &str, bytes: u64) -> Result<Option<Vec<u8>>, BackupFault> {
        Ok(self.look(path, |place| disk::read_first(place, bytes))?)
    }

    async fn stat(&self, path: &str) -> Result<Option<FileStat>, BackupFault> {
        let found = self.look(path, disk::find)?;
        Ok(found.map(|found| FileStat {
            size: found.len(),
            modified_ms: millis(found.modified().unwrap_or(UNIX_EPOCH)),
        }))
    }

    async fn write(&self, path: &str, bytes: &[u8]) -> Result<(), BackupFault> {
        Ok(self.write_file(path, bytes)?)
    }

    async fn remove(&self, path: &str) -> Result<(), BackupFault> {
        if let Some(place) = self.place(path, false)? {
            disk::remove(&place)?;
        }
        Ok(())
    }

    async fn remove_empty(&self, directory: &str) -> Result<(), BackupFault> {
        if let Some(place) = self.place(directory, false)? {
            // One that is not empty stays.
            fs::remove_dir(place).ok();
        }
        Ok(())
    }

    async fn entries(&self, directory: &str) -> Result<Vec<DirEntry>, BackupFault> {
        Ok(self.list(directory)?)
    }
}
