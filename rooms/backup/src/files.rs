//! The files of a backup directory, wherever they are.

use crate::BackupFault;
use async_trait::async_trait;

/// The most entries of a directory that are read.
pub const MAX_ENTRIES: usize = 100_000;

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a plain file.
    pub is_file: bool,
    /// Whether it is a directory. What is neither, such as a link or a pipe, is left alone by everybody.
    pub is_directory: bool,
}

/// What is known of a file without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// Its size in bytes.
    pub size: u64,
    /// When it was written last, in milliseconds since 1970.
    pub modified_ms: u64,
}

/// The files of a directory. A path is relative to it, with `/` between the names.
///
/// # Errors
/// Those of all operations: [`BackupFault::Failed`], with [`BackupProblem::NotPlain`](crate::BackupProblem) for what is no
/// plain file.
#[async_trait(?Send)]
pub trait DirectoryFiles {
    /// Milliseconds since 1970. No rule depends on it: it is shown to the person.
    fn now(&self) -> u64;

    /// The bytes of a file; `None` if there is none. One of more than `limit` bytes is [`BackupFault::TooLong`].
    async fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, BackupFault>;

    /// The first `bytes` of a file, or all of a shorter one; `None` if there is none.
    async fn head(&self, path: &str, bytes: u64) -> Result<Option<Vec<u8>>, BackupFault>;

    /// Size and time of a file; `None` if there is none.
    async fn stat(&self, path: &str) -> Result<Option<FileStat>, BackupFault>;

    /// Writes a file as a whole, and makes the directories that it is in: there is never half of one.
    async fn write(&self, path: &str, bytes: &[u8]) -> Result<(), BackupFault>;

    /// Removes a file; a missing one is no error.
    async fn remove(&self, path: &str) -> Result<(), BackupFault>;

    /// Removes a directory that is empty; any other one stays, which is no error.
    async fn remove_empty(&self, directory: &str) -> Result<(), BackupFault>;

    /// The entries of a directory by their names, at most [`MAX_ENTRIES`]; none of a missing one. The directory itself is an
    /// empty path.
    async fn entries(&self, directory: &str) -> Result<Vec<DirEntry>, BackupFault>;
}
