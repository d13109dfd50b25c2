//! The folder of a backup: the chats of one person in plain files.
//!
//! | file | what it is |
//! | --- | --- |
//! | `chats/<chat>.jsonl` | a chat, in the form of [`sash_transfer::backup`] |
//! | `prompts-and-folders.jsonl` | the prompts that the person keeps, and the folders of the list, in the same form |
//! | `images/<hash>.png`, `.jpg` | the images of the messages |
//! | `versions/<chat>/<time>-v<version>.jsonl` | what a chat's file was before |
//!
//! [`BackupFolder`] has the rules: who may write over what, what becomes an older version, what a purge removes. The files
//! are behind [`FolderFiles`]: the server's are on its disk, the page's in a folder that the person chose in the browser,
//! those of tests in memory. Names are made of ids and hashes alone, so nothing is written elsewhere.

#![forbid(unsafe_code)]

mod chats;
mod files;
mod folder;
mod images;
mod memory;
mod prompts;
mod purge;
mod versions;

pub use files::{FileAnswer, FolderEntry, FolderFiles};
pub use folder::{BEAT_LIFETIME, BackupFolder, README, ServerLock, VERSIONING, is_readme};
pub use memory::MemoryFiles;

/// The most bytes of a file of a chat that are read. One that Sash wrote is never longer.
pub const MAX_CHAT_BYTES: u64 = 2 * sash_calls::MAX_BACKUP_CHAT as u64;
