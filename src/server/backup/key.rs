//! The key of a folder: who knows it is its person.

use super::disk;
use super::error::BackupError;
use super::folder::Folder;
use sash_wire::BackupKey;
use std::fmt;
use subtle::ConstantTimeEq;

/// The digits of a key: 32 random bytes.
const KEY_DIGITS: usize = 64;
/// The most bytes of the file that are read.
const MAX_KEY_BYTES: u64 = 1024;

/// The key. `Debug` does not print it.
pub struct FolderKey(String);

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
            return Ok(Self(key.to_owned()));
        }
        let mut bytes = [0_u8; KEY_DIGITS / 2];
        getrandom::fill(&mut bytes).map_err(|_| cannot(&"this machine gives no random numbers"))?;
        let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let written = disk::replace(&path, format!("{key}\n").as_bytes(), folder.write);
        written.map_err(|error| cannot(&error))?;
        Ok(Self(key))
    }

    /// Whether a client gave this key. The time that it takes says nothing of the key.
    pub fn is(&self, given: &BackupKey) -> bool {
        self.0.as_bytes().ct_eq(given.0.as_bytes()).into()
    }

    /// The part of an address that holds the key.
    pub fn fragment(&self) -> String {
        format!("b={}", self.0)
    }
}
