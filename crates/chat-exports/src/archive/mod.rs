//! ZIP files, read in pieces: the caller reads ranges of the file, which may be gigabytes long, and hands them over.
//!
//! [`Archive`] finds the entries by the directory at the end of the file, [`EntryReader`] inflates one of them as its
//! bytes come. Nothing here writes files, so a name is for showing and comparing alone, whatever it contains.

mod directory;
mod end;
mod entry;
mod window;

pub use directory::{Archive, ArchiveEntry, ArchiveError, ArchiveStep, MAX_ENTRIES};
pub use end::ends_as_archive;
pub use entry::{EntryReader, EntryRefusal};

/// What a ZIP file begins with.
const SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// What the first of several files begins with that are one archive.
const SPLIT_SIGNATURE: &[u8] = b"PK\x07\x08";
/// In how many bytes at the end of a file an archive ends: the longest comment, and the records after it.
pub const TAIL_BYTES: u64 = 66 * 1024;

/// Whether a file begins as a ZIP file does; `begun` are its first bytes.
#[must_use]
pub fn is_archive(begun: &[u8]) -> bool {
    SIGNATURES
        .iter()
        .any(|signature| begun.starts_with(signature))
}

/// Whether a file begins as the first of several files does that are one archive.
#[must_use]
pub fn is_split_archive(begun: &[u8]) -> bool {
    begun.starts_with(SPLIT_SIGNATURE)
}
