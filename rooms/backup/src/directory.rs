//! The rules of the backup directory over its files: the same ones at the server, on a device, and in tests.
//!
//! ```text
//! README.txt
//! chats/<chat>/<browser>.jsonl    the copy of a browser; what it hands over replaces it, and nothing else does
//! chats/<chat>/<browser>.gone     what that browser deleted of the chat for good; only grows, holds no words
//! shelf/<browser>.jsonl           its prompts and folders
//! images/<hash>.png|jpg           written once
//! kept/<chat>/<browser>-<n>.jsonl former copies that said something else, the last three of a browser and chat
//! tmp/                            files that are being written
//! ```
//!
//! What an earlier Sash wrote (`chats/<chat>.jsonl`, `prompts-and-folders.jsonl`, `versions/`) is read and purged like that,
//! and never written. A file that cannot be read concerns its chat alone. Whoever calls this does so for one request at a
//! time; another program may write to the directory meanwhile.

mod carry;
mod found;
mod headers;
mod images;
mod list;
pub(crate) mod paths;
mod purge;
mod put;
mod redact;
mod remove;
mod slots;

pub use headers::HeaderCache;

use crate::call::{CopyText, GoneOfChat};
use crate::files::{DirEntry, DirectoryFiles};
use crate::form::{CopyId, MAX_TEXT, Standing, Unreadable, parse};
use crate::gone::parse_gone;
use crate::{BackupFault, BackupKey, BackupProblem};
use found::Found;
use paths::{KEPT, README_PATH, TMP, UNNOTICED, VERSIONING, copy_path, directory_of, gone_path};
use sash_chat::Id;

/// The file that explains the directory, `README.txt`.
pub const README: &str = "This folder is a backup that Sash keeps.

chats/     a folder for each chat, in it a file for each browser that has the chat (JSON Lines, a record a line).
           Sash imports these files, also several of one chat. What ends in .gone says what was deleted for good
shelf/     the prompts that you keep and the folders of the list, a file for each browser
images/    the images of the messages, named after their SHA-256
kept/      former files that said something else, the last three of each
tmp/       files that are being written

The folder can be copied, synchronised and put under version control while Sash runs. A file that is changed here is
set aside in kept/ when its chat is written again. What is deleted for good in Sash is removed from these files, but
not from copies of them.
";

/// How the README of each version begins.
const README_BEGINNING: &str = "This folder is a backup that Sash keeps";
/// The most bytes of a README that are read.
const MAX_README_BYTES: u64 = 16 * 1024;

/// The rules of the backup directory over its files.
#[derive(Debug)]
pub struct BackupDirectory<'a, F: ?Sized> {
    files: &'a F,
    key: &'a BackupKey,
    headers: &'a HeaderCache,
}

impl<'a, F: DirectoryFiles + ?Sized> BackupDirectory<'a, F> {
    /// The directory of these files. Seals are made by the key.
    #[must_use]
    pub fn new(files: &'a F, key: &'a BackupKey, headers: &'a HeaderCache) -> Self {
        Self {
            files,
            key,
            headers,
        }
    }

    /// Makes the directory ready for use. An empty one gets its README.
    ///
    /// # Errors
    /// [`BackupProblem::NotEmpty`] for a directory that has other things in it and no README of a backup; and that it cannot
    /// be used.
    pub async fn open(&self) -> Result<(), BackupFault> {
        let entries = self.files.entries("").await?;
        let readme = self.files.head(README_PATH, MAX_README_BYTES).await?;
        let readme = text_of(readme.unwrap_or_default());
        // A start that was killed before it had written the README leaves what it was writing.
        let is_nothing = |entry: &DirEntry| {
            let mut names = VERSIONING.iter().chain(&UNNOTICED).chain(&[TMP]);
            names.any(|name| *name == entry.name)
        };
        if !readme.starts_with(README_BEGINNING) && !entries.iter().all(is_nothing) {
            return Err(BackupProblem::NotEmpty.into());
        }
        // That of an earlier Sash says where its files are. What a person added to this one stays.
        if !readme.contains(&format!("\n{KEPT}/")) {
            self.write(README_PATH, README).await?;
        }
        let mut found = Found::default();
        self.look_into(TMP, &mut found).await?;
        for path in found.unfinished {
            self.remove(&path).await?;
        }
        Ok(())
    }

    /// The text of a copy.
    ///
    /// # Errors
    /// [`BackupFault::Absent`], [`BackupFault::Newer`], [`BackupFault::TooLong`], and that it cannot be read.
    pub async fn get(&self, of: CopyId) -> Result<CopyText, BackupFault> {
        let text = self.read(&copy_path(of)).await?;
        let text = text.ok_or(BackupFault::Absent)?;
        let standing = match parse(&text, of, self.key) {
            Err(Unreadable::Newer) => return Err(BackupFault::Newer),
            Err(Unreadable::NoHeader) => Standing::Changed,
            Ok(copy) => copy.standing,
        };
        Ok(CopyText { text, standing })
    }

    /// What was deleted of a chat for good, by all browsers.
    ///
    /// # Errors
    /// That it cannot be read.
    pub async fn gone(&self, chat: Id) -> Result<GoneOfChat, BackupFault> {
        let mut found = Found::default();
        self.look_into(&directory_of(chat), &mut found).await?;
        self.read_gone(&found.gone).await
    }

    /// What these files of a chat say of what was deleted. One that is longer than a file may be says nothing.
    async fn read_gone(&self, files: &[CopyId]) -> Result<GoneOfChat, BackupFault> {
        let mut all = GoneOfChat::default();
        for of in files {
            let bytes = match self.files.read(&gone_path(*of), MAX_TEXT as u64).await {
                Err(BackupFault::TooLong) => continue,
                read => read?.unwrap_or_default(),
            };
            if !bytes.is_empty() {
                all.bytes.insert(of.browser, bytes.len() as u64);
                all.gone.extend(parse_gone(&text_of(bytes), *of, self.key));
            }
        }
        Ok(all)
    }

    /// The text of a file.
    async fn read(&self, path: &str) -> Result<Option<String>, BackupFault> {
        let bytes = self.files.read(path, MAX_TEXT as u64).await?;
        Ok(bytes.map(text_of))
    }

    /// Writes a file of text. Whatever was known of it is read anew.
    async fn write(&self, path: &str, text: &str) -> Result<(), BackupFault> {
        self.headers.forget(path);
        self.files.write(path, text.as_bytes()).await
    }

    async fn remove(&self, path: &str) -> Result<(), BackupFault> {
        self.headers.forget(path);
        self.files.remove(path).await
    }
}

/// The text of a file. What is no text in it is replaced by the sign for that.
fn text_of(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}
