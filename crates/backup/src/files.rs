//! The files of a folder, wherever they are.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use sash_chat::Id;
use sash_wire::Fault;

/// What an operation on files gives, at once or later.
pub type FileAnswer<'a, T> = LocalBoxFuture<'a, Result<T, Fault>>;

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a plain file, and neither a folder nor a link.
    pub is_file: bool,
}

/// The files of a folder. A path is relative to it, with `/` between the names. The errors of all are
/// [`BackupFault::Failed`].
pub trait FolderFiles {
    /// Milliseconds since 1970. Nothing but the age of older versions depends on it.
    fn now(&self) -> u64;

    /// The bytes of a file; `None` if there is none. One of more than `limit` bytes is an error.
    fn read<'a>(&'a self, path: &'a str, limit: u64) -> FileAnswer<'a, Option<Vec<u8>>>;

    /// The size of a file in bytes; `None` if there is none.
    fn size<'a>(&'a self, path: &'a str) -> FileAnswer<'a, Option<u64>>;

    /// Writes a file as a whole, and makes the folders that it is in: there is never half of one.
    fn write<'a>(&'a self, path: &'a str, bytes: &'a [u8]) -> FileAnswer<'a, ()>;

    /// Gives a file a second name, or copies it; leaves what has that name. Both may be the same bytes on the disk, because
    /// files are replaced and never changed.
    fn copy<'a>(&'a self, from: &'a str, to: &'a str) -> FileAnswer<'a, ()> {
        async move {
            if self.size(to).await?.is_none() {
                let bytes = self.read(from, crate::MAX_CHAT_BYTES).await?;
                self.write(to, &bytes.unwrap_or_default()).await?;
            }
            Ok(())
        }
        .boxed_local()
    }

    /// Removes a file; a missing one is no error.
    fn remove<'a>(&'a self, path: &'a str) -> FileAnswer<'a, ()>;

    /// Removes a folder that is empty; any other one stays, which is no error.
    fn remove_empty<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, ()>;

    /// The entries of a folder by their names; none of a missing one. The folder itself is an empty path.
    fn entries<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, Vec<FolderEntry>>;

    /// Called once the lines of a chat, or of the prompts and folders, have another checksum.
    fn on_written(&self, _chat: Id, _crc: &str) {}
}
