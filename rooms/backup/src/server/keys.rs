//! The keys of an installation, each in a file of its state directory: the key that browsers know, and that of the seals.
//!
//! They are two, because the one of browsers is replaced when an address was opened twice, and what was sealed before is as
//! good as it was. No browser learns the other one.

use super::disk::Disk;
use crate::key::sha256;
use crate::store::parse_backup_key;
use crate::{BackupFault, BackupKey};
use sash_door::disk;
use sash_door::random::random_digits;
use sash_wire::Fault;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use subtle::ConstantTimeEq;

/// The files in the state directory.
const KEY: &str = "backup-key";
const SEAL: &str = "backup-seal";
/// The file of the earlier form in the directory of the backup, with the key of browsers.
const FORMER_KEY: &str = "key";
/// Says in the directory by whose key the copies are sealed.
const SEALED_BY: &str = "key.sha256";
/// The most bytes of these files that are read.
const MAX_BYTES: u64 = 1024;

/// The keys of an installation.
#[derive(Debug)]
pub(super) struct Keys {
    /// The file with the key of browsers.
    pub file: PathBuf,
    /// The key of the seals.
    pub seal: BackupKey,
    browsers: RwLock<BrowserKeys>,
}

#[derive(Debug)]
struct BrowserKeys {
    current: BackupKey,
    /// The keys that ended since the start.
    ended: Vec<BackupKey>,
}

impl Keys {
    /// Reads the keys in the state directory; makes them where there are none. The key of browsers is then that of the
    /// directory, if an earlier Sash left one there.
    ///
    /// # Errors
    /// Those of the disk, and that a file has no key in it.
    pub fn open(state: &Path, directory: &Disk) -> io::Result<Self> {
        disk::create_private(state)?;
        let former_file = directory.root.join(FORMER_KEY);
        // What is no key is another one's file.
        let former = read_key(&former_file).ok().flatten();
        let file = state.join(KEY);
        let current = read_or_make(&file, former.clone())?;
        if former.is_some_and(|former| former == current) {
            disk::remove(&former_file)?;
        }
        let ended = Vec::new();
        Ok(Self {
            file,
            seal: read_or_make(&state.join(SEAL), None)?,
            browsers: RwLock::new(BrowserKeys { current, ended }),
        })
    }

    /// The key of browsers.
    pub fn current(&self) -> BackupKey {
        let keys = self.browsers.read().unwrap_or_else(PoisonError::into_inner);
        keys.current.clone()
    }

    /// Compares the key that a browser gave. The time that it takes says nothing of the key.
    ///
    /// # Errors
    /// [`Fault::OpenedTwice`] for a key that was replaced, and [`BackupFault::Locked`] for any other.
    pub fn check(&self, given: &[u8]) -> Result<(), Fault> {
        let keys = self.browsers.read().unwrap_or_else(PoisonError::into_inner);
        let is_given = |BackupKey(key): &BackupKey| bool::from(key.as_bytes().ct_eq(given));
        match is_given(&keys.current) {
            true => Ok(()),
            false if keys.ended.iter().any(is_given) => Err(Fault::OpenedTwice),
            false => Err(BackupFault::Locked.into()),
        }
    }

    /// Replaces the key of browsers. The former one ends even if the file of the new one cannot be written.
    ///
    /// # Errors
    /// Those of the disk, and that the system gives no random numbers.
    pub fn replace(&self) -> io::Result<()> {
        let key = random_key()?;
        let mut keys = self
            .browsers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let former = mem::replace(&mut keys.current, key.clone());
        keys.ended.push(former);
        write_key(&self.file, &key)
    }

    /// Writes down in the directory by whose key it is sealed. Returns whether that was another one.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn sign(&self, directory: &Disk) -> io::Result<bool> {
        let own = sha256(&self.seal.0) + "\n";
        // What cannot be read there is none of Sash's, and is replaced.
        let found = disk::read(&directory.root.join(SEALED_BY), MAX_BYTES);
        let found = found.ok().flatten();
        if found.as_deref() == Some(own.as_bytes()) {
            return Ok(false);
        }
        directory.write_file(SEALED_BY, own.as_bytes())?;
        Ok(found.is_some())
    }
}

fn random_key() -> io::Result<BackupKey> {
    let digits = random_digits::<32>();
    digits.map(BackupKey).map_err(io::Error::other)
}

/// The key in a file; one that has none gets the first one, or a new one.
fn read_or_make(file: &Path, first: Option<BackupKey>) -> io::Result<BackupKey> {
    if let Some(key) = read_key(file)? {
        disk::make_private(file)?;
        return Ok(key);
    }
    let key = first.map_or_else(random_key, Ok)?;
    write_key(file, &key)?;
    Ok(key)
}

fn read_key(file: &Path) -> io::Result<Option<BackupKey>> {
    let Some(bytes) = disk::read(file, MAX_BYTES)? else {
        return Ok(None);
    };
    match parse_backup_key(&String::from_utf8_lossy(&bytes)) {
        Some(key) => Ok(Some(key)),
        None => {
            let name = file.display();
            Err(io::Error::other(format!("{name} has no key in it")))
        }
    }
}

fn write_key(file: &Path, BackupKey(key): &BackupKey) -> io::Result<()> {
    disk::replace(
        file,
        &file.with_extension("new"),
        format!("{key}\n").as_bytes(),
    )
}
