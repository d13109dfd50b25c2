//! The key of a backup: who knows it may read and write, and seals what it writes.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use subtle::ConstantTimeEq;

/// The key of a backup directory: 64 hexadecimal digits. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct BackupKey(pub String);

impl fmt::Debug for BackupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackupKey(…)")
    }
}

impl BackupKey {
    /// Its name among [`PageSecrets`](sash_wire::PageSecrets).
    pub const NAME: &str = "backup_key";
    /// The header of a request that carries it.
    pub const HEADER: &str = "x-sash-backup";

    /// The seal of a text: HMAC-SHA-256, 64 hexadecimal digits. Without a key there is none.
    #[must_use]
    pub fn seal(&self, text: &str) -> String {
        // A key of any length is one for HMAC.
        match Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) {
            Ok(mut mac) if !self.0.is_empty() => {
                mac.update(text.as_bytes());
                hex(&mac.finalize().into_bytes())
            }
            _ => String::new(),
        }
    }

    /// Whether this is the seal of a text by this key.
    #[must_use]
    pub fn is_seal(&self, text: &str, seal: &str) -> bool {
        !seal.is_empty() && bool::from(self.seal(text).as_bytes().ct_eq(seal.as_bytes()))
    }
}

/// The SHA-256 of a text, 64 hexadecimal digits.
#[must_use]
pub(crate) fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // Writing to a text cannot fail.
        write!(digits, "{byte:02x}").unwrap_or_default();
        digits
    })
}
