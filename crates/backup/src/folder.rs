//! The folder, and where what is in it.

use crate::MAX_CHAT_BYTES;
use crate::files::{FolderEntry, FolderFiles};
use sash_calls::{BackupFault, BackupProblem, MAX_BACKUP_CHAT};
use sash_chat::{Id, ImageFormat, ImageHash};
use sash_wire::{BodyKind, Fault};
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

/// How the README of each version begins.
const README_BEGINNING: &str = "This folder is a backup that Sash keeps";
/// Where the README is.
const README_PATH: &str = "README.txt";
/// The file that only the folder of a server has: its key.
const KEY_PATH: &str = "key";
/// The lock of a server, with a heartbeat.
const LOCK_PATH: &str = "lock";
/// How long a heartbeat counts: a server that lives renews its lock several times within it.
pub const BEAT_LIFETIME: Duration = Duration::from_secs(45);
/// What version control has in a folder.
pub const VERSIONING: [&str; 4] = [".git", ".hg", ".jj", ".svn"];
/// What else may be in a folder that a person takes for empty.
const UNNOTICED: [&str; 4] = [".DS_Store", ".gitignore", "desktop.ini", "Thumbs.db"];
/// The most bytes of a README or a lock that are read.
const MAX_SMALL_BYTES: u64 = 16 * 1024;
/// How the names of files end that somebody was writing when they were killed: a server, and Chromium.
const UNFINISHED: [&str; 2] = [".new", ".crswap"];

/// The folder of the chats.
pub(crate) const CHATS: &str = "chats";
/// The folder of the images.
pub(crate) const IMAGES: &str = "images";
/// The folder of the older versions.
pub(crate) const VERSIONS: &str = "versions";
/// The file of the prompts and the folders of the list.
pub(crate) const PROMPTS_PATH: &str = "prompts-and-folders.jsonl";

/// What Sash has in the folder.
const OURS: [&str; 7] = [
    README_PATH,
    KEY_PATH,
    LOCK_PATH,
    CHATS,
    IMAGES,
    VERSIONS,
    PROMPTS_PATH,
];

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
    /// gets its README. `wait` takes [`BEAT_LIFETIME`]. Returns the lock, for [`Self::check_lock`].
    ///
    /// # Errors
    /// [`BackupFault::Failed`]: the folder has other things in it, a server uses it, or it cannot be used.
    pub async fn open<W: Future<Output = ()>>(
        &self,
        wait: impl FnOnce() -> W,
    ) -> Result<ServerLock, Fault> {
        let entries = self.files.entries("").await?;
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let readme = match has(README_PATH) {
            true => self.files.read(README_PATH, MAX_SMALL_BYTES).await?,
            false => None,
        };
        let is_backup = has(KEY_PATH) || is_readme(&readme.unwrap_or_default());
        if !is_backup && !entries.iter().all(is_unnoticed) {
            return Err(problem(BackupProblem::NotEmpty));
        }
        // A server that stopped has emptied its lock; one that was killed does not renew it.
        let lock = self.server_lock().await?;
        if lock.0.is_some() {
            wait().await;
            self.check_lock(&lock).await?;
        }
        if !is_backup {
            self.write_text(README_PATH, README).await?;
        }
        self.remove_unfinished().await?;
        Ok(lock)
    }

    /// Refuses a folder in which a server has begun to write since it was opened.
    ///
    /// # Errors
    /// [`BackupProblem::Taken`], and that the folder cannot be read.
    pub async fn check_lock(&self, opened: &ServerLock) -> Result<(), Fault> {
        let now = self.server_lock().await?;
        match now.0.is_some() && now != *opened {
            true => Err(problem(BackupProblem::Taken)),
            false => Ok(()),
        }
    }

    async fn server_lock(&self) -> Result<ServerLock, Fault> {
        let lock = self.files.read(LOCK_PATH, MAX_SMALL_BYTES).await?;
        Ok(ServerLock(lock.filter(|lock| !lock.is_empty())))
    }

    /// Removes what is left of files that somebody was writing when they were killed.
    ///
    /// # Errors
    /// That the folder cannot be used.
    pub async fn remove_unfinished(&self) -> Result<(), Fault> {
        for folder in [CHATS, IMAGES] {
            for entry in self.files.entries(folder).await? {
                if is_unfinished(&entry) {
                    self.files
                        .remove(&format!("{folder}/{}", entry.name))
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// The entries of a folder, without unfinished files.
    pub(crate) async fn entries(&self, folder: &str) -> Result<Vec<FolderEntry>, Fault> {
        let mut entries = self.files.entries(folder).await?;
        entries.retain(|entry| !is_unfinished(entry));
        Ok(entries)
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

/// The lock of a server, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerLock(Option<Vec<u8>>);

/// Whether a README is one of a backup.
#[must_use]
pub fn is_readme(bytes: &[u8]) -> bool {
    bytes.starts_with(README_BEGINNING.as_bytes())
}

fn is_unnoticed(entry: &FolderEntry) -> bool {
    let name = entry.name.as_str();
    VERSIONING.contains(&name) || UNNOTICED.contains(&name)
}

fn is_unfinished(entry: &FolderEntry) -> bool {
    entry.is_file && UNFINISHED.iter().any(|end| entry.name.ends_with(end))
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

/// Of what is in the folder itself and in that of the images: the files that are none of Sash's, such as the copies that a
/// synchronising program makes in a conflict. Hidden ones are left out.
pub(crate) fn others_outside_chats(root: &[FolderEntry], images: &[FolderEntry]) -> Vec<String> {
    let is_other = |entry: &&FolderEntry| {
        let name = entry.name.as_str();
        !OURS.contains(&name) && !is_unnoticed(entry) && !name.starts_with('.')
    };
    let root = root.iter().filter(is_other);
    let root = root.map(|entry| entry.name.clone());
    let images = images.iter().filter(|entry| hash_of(&entry.name).is_none());
    let images = images.map(|entry| format!("{IMAGES}/{}", entry.name));
    root.chain(images).collect()
}

/// The images among the entries of their folder.
pub(crate) fn images_among(entries: &[FolderEntry]) -> Vec<ImageHash> {
    let files = entries.iter().filter(|entry| entry.is_file);
    files.filter_map(|entry| hash_of(&entry.name)).collect()
}

/// The image that a file is, by its name.
fn hash_of(name: &str) -> Option<ImageHash> {
    name.split_once('.')?.0.parse().ok()
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
    BackupFault::Failed { problem }.into()
}

/// Refuses lines that are longer than a file may be.
pub(crate) fn check_length(lines: &str) -> Result<(), Fault> {
    match lines.len() > MAX_BACKUP_CHAT {
        true => Err(Fault::TooLarge {
            bytes: lines.len(),
            limit: MAX_BACKUP_CHAT,
            body: BodyKind::Kept,
        }),
        false => Ok(()),
    }
}
