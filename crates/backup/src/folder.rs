//! The folder, and where what is in it.

use crate::MAX_CHAT_BYTES;
use crate::files::{FolderEntry, FolderFiles};
use sash_chat::{Id, ImageFormat, ImageHash};
use sash_wire::{BackupProblem, BodyKind, Fault, MAX_BACKUP_CHAT};
use std::time::Duration;

/// The file that explains the folder, `README.txt`.
pub const README: &str = "This folder is a backup that Sash keeps.

chats/     one chat each, a record a line (JSON Lines); Sash imports each of these files
images/    the images of the messages, named after their SHA-256
prompts-and-folders.jsonl  the prompts that you keep, and the folders of the list
versions/  what a chat's file was before, for 30 days; files that were changed from outside, as they were
key        with sash --backup: who knows it can read and write all of this; the address that Sash prints holds it
lock       with sash --backup: which Sash uses the folder now

The folder can be copied, synchronised and put under version control while Sash runs. A file that is changed here is
set aside in versions/ when its chat is written again. What is deleted for good in Sash is removed from these files, but
not from copies of them.
";

/// How often a server renews the lock of its folder, and a margin.
pub const HEARTBEAT: Duration = Duration::from_secs(12);
/// The file that explains the folder.
const README_PATH: &str = "README.txt";
/// What a server writes beside the chats.
const SERVER_FILES: [&str; 2] = ["key", "lock"];
/// What version control has in a folder that is otherwise empty.
const VERSIONING: [&str; 5] = [".git", ".gitignore", ".hg", ".jj", ".svn"];
/// The most bytes of a lock that are read.
const MAX_LOCK_BYTES: u64 = 4096;

/// The folder of the chats.
pub(crate) const CHATS: &str = "chats";
/// The folder of the images.
pub(crate) const IMAGES: &str = "images";
/// The folder of the older versions.
pub(crate) const VERSIONS: &str = "versions";

/// The rules of a backup's folder over its files. Whoever calls what writes does so for one request at a time.
#[derive(Debug)]
pub struct BackupFolder<'a, F: ?Sized> {
    pub(crate) files: &'a F,
}

impl<'a, F: FolderFiles + ?Sized> BackupFolder<'a, F> {
    /// The folder of these files.
    #[must_use]
    pub fn new(files: &'a F) -> Self {
        Self { files }
    }

    /// Looks whether the folder can be used by a page: it is a backup or empty, and no server writes there. An empty one
    /// gets its README. `wait` takes at least [`HEARTBEAT`].
    ///
    /// # Errors
    /// [`Fault::BackupFailed`]: the folder has other things in it, a server uses it, or it cannot be used.
    pub async fn open<W: Future<Output = ()>>(
        &self,
        wait: impl FnOnce() -> W,
    ) -> Result<(), Fault> {
        let entries = self.files.entries("").await?;
        let has = |names: &[&str]| {
            let mut entries = entries.iter();
            entries.any(|entry| names.contains(&entry.name.as_str()))
        };
        if has(&SERVER_FILES) {
            let beat = self.files.read(SERVER_FILES[1], MAX_LOCK_BYTES).await?;
            // A server that stopped has emptied it; one that was killed does not renew it.
            if beat.as_ref().is_some_and(|beat| !beat.is_empty()) {
                wait().await;
                if self.files.read(SERVER_FILES[1], MAX_LOCK_BYTES).await? != beat {
                    return Err(problem(BackupProblem::Taken));
                }
            }
        } else if !has(&[README_PATH]) {
            let is_known = |entry: &FolderEntry| VERSIONING.contains(&entry.name.as_str());
            if !entries.iter().all(is_known) {
                return Err(problem(BackupProblem::NotEmpty));
            }
            self.write_text(README_PATH, README).await?;
        }
        Ok(())
    }

    /// Reads a file of text; `None` if there is none. What is no text is replaced by the sign for that.
    pub(crate) async fn read_text(&self, path: &str) -> Result<Option<String>, Fault> {
        let bytes = self.files.read(path, MAX_CHAT_BYTES).await?;
        Ok(bytes.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }))
    }

    pub(crate) async fn write_text(&self, path: &str, text: &str) -> Result<(), Fault> {
        self.files.write(path, text.as_bytes()).await
    }
}

/// The path of a chat's file.
pub(crate) fn chat_path(chat: Id) -> String {
    format!("{CHATS}/{chat}.jsonl")
}

/// The chat that a file belongs to, by its name.
pub(crate) fn chat_of(name: &str) -> Option<Id> {
    name.strip_suffix(".jsonl")?.parse().ok()
}

/// The folder of a chat's older versions.
pub(crate) fn versions_path(chat: Id) -> String {
    format!("{VERSIONS}/{chat}")
}

/// The path of an image, by its format.
pub(crate) fn image_path(hash: ImageHash, format: ImageFormat) -> String {
    let extension = match format {
        ImageFormat::Jpeg => "jpg",
        ImageFormat::Png => "png",
    };
    format!("{IMAGES}/{hash}.{extension}")
}

fn problem(problem: BackupProblem) -> Fault {
    Fault::BackupFailed { problem }
}

/// Refuses lines that are longer than a file may be.
pub(crate) fn check_length(lines: &str) -> Result<(), Fault> {
    match lines.len() > MAX_BACKUP_CHAT {
        true => Err(Fault::TooLarge {
            bytes: lines.len(),
            limit: MAX_BACKUP_CHAT,
            body: BodyKind::Backup,
        }),
        false => Ok(()),
    }
}
