//! The key of a folder: who knows it is its person.

use super::disk;
use super::error::BackupError;
use super::folder::Folder;
use sash_calls::{BackupFault, BackupKey};
use sash_door::random::random_digits;
use sash_wire::Fault;
use std::sync::{PoisonError, RwLock};
use std::{fmt, io, mem};
use subtle::ConstantTimeEq;

/// The digits of a key: 32 random bytes.
const KEY_DIGITS: usize = 64;
/// The most bytes of the file that are read.
const MAX_KEY_BYTES: u64 = 1024;

/// The key. `Debug` does not print it.
pub struct FolderKey(RwLock<Keys>);

struct Keys {
    current: String,
    /// The keys that ended since the start.
    ended: Vec<String>,
}

impl fmt::Debug for FolderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FolderKey(…)")
    }
}

impl FolderKey {
    /// Reads the key of a folder; makes one where there is none.
    pub fn open(folder: &Folder) -> Result<Self, BackupError> {
        let path = folder.path("key");
        let said = path.display();
        let cannot = |why: &dyn fmt::Display| {
            BackupError(format!(
                "--backup: the key in {said} cannot be used: {why}."
            ))
        };
        if let Some(text) = disk::read(&path, MAX_KEY_BYTES).map_err(|error| cannot(&error))? {
            let key = text.trim();
            let is_key = key.len() == KEY_DIGITS
                && key
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            if !is_key {
                return Err(cannot(&"it is not 64 hexadecimal digits"));
            }
            disk::make_private(&path, false).map_err(|error| cannot(&error))?;
            return Ok(Self::new(key.to_owned()));
        }
        let key = random_digits::<{ KEY_DIGITS / 2 }>().map_err(|error| cannot(&error))?;
        write(&key, folder).map_err(|error| cannot(&error))?;
        Ok(Self::new(key))
    }

    fn new(current: String) -> Self {
        let ended = Vec::new();
        Self(RwLock::new(Keys { current, ended }))
    }

    /// Compares the key that a client gave. The time that it takes says nothing of the key.
    ///
    /// # Errors
    /// [`Fault::OpenedTwice`] for a key that was replaced, and [`BackupFault::Locked`] for any other.
    pub fn check(&self, given: &BackupKey) -> Result<(), Fault> {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_given = |key: &String| bool::from(key.as_bytes().ct_eq(given.0.as_bytes()));
        match is_given(&keys.current) {
            true => Ok(()),
            false if keys.ended.iter().any(is_given) => Err(Fault::OpenedTwice),
            false => Err(BackupFault::Locked.into()),
        }
    }

    /// The key.
    pub fn get(&self) -> BackupKey {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        BackupKey(keys.current.clone())
    }

    /// Replaces the key. The former one ends even if the file of the new one cannot be written.
    ///
    /// # Errors
    /// That of the disk.
    pub fn replace(&self, folder: &Folder) -> Result<(), Fault> {
        let key = random_digits::<{ KEY_DIGITS / 2 }>().map_err(|error| {
            tracing::error!(%error, "no new key");
            Fault::Internal
        })?;
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let former = mem::replace(&mut keys.current, key);
        keys.ended.push(former);
        write(&keys.current, folder).map_err(|error| disk::problem(&error))
    }
}

fn write(key: &str, folder: &Folder) -> io::Result<()> {
    let path = folder.path("key");
    disk::replace(&path, format!("{key}\n").as_bytes(), folder.write)
}
