//! The calls about the backup: the folder in which the server keeps the chats of one person.

mod fault;

pub use fault::BackupFault;

use sash_chat::{Id, ImageHash};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::fmt;

/// The most bytes of a chat in the backup, as text.
pub const MAX_BACKUP_CHAT: usize = 32 * 1024 * 1024;

/// What a server says that keeps a backup, for whoever has its key ([`EngineState::says`](sash_wire::EngineState::says)).
pub const KEEPS_BACKUP: &str = "keeps_backup";

/// The key of a backup folder. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BackupKey(pub String);

impl BackupKey {
    /// Its name among [`PageSecrets`](sash_wire::PageSecrets).
    pub const NAME: &str = "backup_key";
}

impl fmt::Debug for BackupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackupKey(…)")
    }
}

/// The body of `POST /api/v1/backup_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupListRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The browser that asks: each chat says what this one wrote last.
    pub writer: Id,
}

/// What is in the folder.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupList {
    /// The chats, the one written last first.
    #[serde_as(as = "VecSkipError<_>")]
    pub chats: Vec<BackedUpChat>,
    /// The images.
    #[serde_as(as = "VecSkipError<_>")]
    pub images: Vec<ImageHash>,
    /// How many prompts of the person's own it has.
    #[serde_as(as = "DefaultOnError")]
    pub prompts: usize,
    /// How many folders of the list of chats it has.
    #[serde_as(as = "DefaultOnError")]
    pub folders: usize,
    /// The checksum of the lines of prompts and folders.
    #[serde_as(as = "DefaultOnError")]
    pub prompts_crc: String,
    /// The names of other files beside the chats: copies that synchronising programs made in a conflict, chats that were
    /// changed from outside and set aside, links. They are left alone.
    pub others: Vec<String>,
    /// How many others there are beside those.
    pub more_others: usize,
    /// Whether the folder is under version control, which keeps what is deleted.
    #[serde_as(as = "DefaultOnError")]
    pub is_versioned: bool,
    /// Up to where the list has the [news](BackupNews).
    #[serde_as(as = "DefaultOnError")]
    pub at: u64,
}

/// The body of `POST /api/v1/backup_news`: which chats have another version since, as soon as one has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupNewsRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The browser that asks.
    pub writer: Id,
    /// The page that asks: two pages that are there at the same time are not the same browser.
    pub page: Id,
    /// Up to where the page knows the news.
    pub since: u64,
}

/// What is new in the folder.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupNews {
    /// Up to where these are the news.
    pub at: u64,
    /// The chats that were written, each with the checksum of its file's lines.
    #[serde_as(as = "VecSkipError<_>")]
    pub chats: Vec<(Id, String)>,
    /// Whether the server does not know all news since then: the page lists the folder anew.
    #[serde_as(as = "DefaultOnError")]
    pub is_incomplete: bool,
    /// Whether another page asks as the same browser now: one of the two is a copy, and takes another id.
    #[serde_as(as = "DefaultOnError")]
    pub is_taken: bool,
}

/// Stands in the news for the prompts and folders, which are no chat.
pub const PROMPTS_IN_NEWS: Id = Id(0);

/// The body of `POST /api/v1/backup_prompts`: the prompts and folders of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPromptsRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The browser that writes.
    pub writer: Id,
    /// The checksum of the folder's lines that the writer knows; without it both are joined, whatever the folder has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_crc: Option<String>,
    /// The lines of the records, each with its number of rewrites; `None` only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The prompts and folders of the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupPrompts {
    /// The lines of all records.
    pub text: String,
    /// Their checksum.
    pub crc: String,
    /// Whether they are as Sash wrote them.
    pub is_intact: bool,
    /// When they were written or read, in milliseconds since 1970.
    pub at: u64,
}

/// A chat of the folder.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackedUpChat {
    /// Its id.
    pub chat: Id,
    /// Its title.
    pub title: String,
    /// How many messages it has.
    pub messages: u64,
    /// When its file was written, in milliseconds since 1970.
    pub at: u64,
    /// The version of its file.
    pub version: u64,
    /// The checksum of the file's lines. A folder of an earlier day gives a number to another version once more.
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    pub crc: String,
    /// What the writer that asks said of the chat when it wrote it last; `None` if it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub digest: Option<String>,
    /// What is known of the file.
    #[serde(default)]
    pub state: BackupFileState,
}

/// What is known of a chat's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupFileState {
    /// It is as Sash wrote it.
    #[default]
    Kept,
    /// It is not as Sash wrote it: something else changed it, or half of it is missing.
    Changed,
    /// The chat was deleted for good: nothing is left of it but this.
    Purged,
    /// A newer Sash wrote it.
    #[serde(other)]
    Newer,
}

/// The body of `POST /api/v1/backup_put`: a chat as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPutRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The browser that writes.
    pub writer: Id,
    /// The chat.
    pub chat: Id,
    /// The version of the file that the writer knows; 0: none.
    pub base: u64,
    /// The checksum of that version, if the writer is in step with the folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub base_crc: String,
    /// What the writer wants to be told of the chat in a list: by it, it knows whether the chat has changed since.
    pub digest: String,
    /// The title of the chat.
    pub title: String,
    /// The lines of an export of this chat alone, without its images.
    pub text: String,
}

/// A chat was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPut {
    /// The version of its file now.
    pub version: u64,
    /// The checksum of the file's lines.
    #[serde(default)]
    pub crc: String,
    /// When it was written, in milliseconds since 1970.
    pub at: u64,
}

/// The body of `POST /api/v1/backup_put_image`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPutImageRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The hash of the image.
    pub hash: ImageHash,
    /// Its bytes in base64.
    pub data: String,
}

/// The body of `POST /api/v1/backup_get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupGetRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The chat.
    pub chat: Id,
}

/// The body of `POST /api/v1/backup_get_image`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupGetImageRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The hash of the image.
    pub hash: ImageHash,
}

/// What was read of the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupText {
    /// The file of a chat, or the bytes of an image in base64.
    pub text: String,
}

/// The body of `POST /api/v1/backup_purge`: what is to be removed for good, from older versions too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPurgeRequest {
    /// The folder's key.
    pub key: BackupKey,
    /// The browser that asks.
    pub writer: Id,
    /// What is to be removed.
    pub what: BackupPurge,
    /// Whether a chat stays that has messages besides those named: somebody else went on with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_known: bool,
}

/// What is to be removed from the folder for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupPurge {
    /// All chats.
    Everything,
    /// These chats, and these messages of others.
    Some {
        /// Whole chats.
        chats: Vec<Id>,
        /// Messages by their chat; of a whole chat those that the folder may not have yet.
        messages: Vec<(Id, Vec<Id>)>,
    },
}

/// What was removed from the folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupPurged {
    /// How many files Sash does not know are left: they may hold the texts still.
    pub others: usize,
}

/// Why the folder of the backup cannot be written or read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupProblem {
    /// The disk is full.
    Full,
    /// The system refuses access, or the disk can only be read.
    Denied,
    /// The folder is not there any more.
    Gone,
    /// The folder has other things in it and is no backup.
    NotEmpty,
    /// Another Sash uses the folder now.
    Taken,
    /// Something in the folder is a link, or no file where one should be.
    NotPlain,
    /// Anything else.
    #[default]
    #[serde(other)]
    Other,
}
