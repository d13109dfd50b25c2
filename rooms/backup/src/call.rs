//! What crosses between page and directory: requests and responses of the calls, each with the key in the header
//! [`BackupKey::HEADER`](crate::BackupKey::HEADER).

mod client;

pub use client::{BackupClient, with_key};

use crate::clock::Fields;
use crate::form::Standing;
use crate::gone::Gone;
use sash_chat::{Id, ImageHash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a server says that keeps a backup, for whoever has its key ([`EngineState::says`](sash_wire::EngineState::says)).
pub const KEEPS_BACKUP: &str = "keeps_backup";

/// What is in the directory: the response of `POST /api/v1/backup_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupList {
    /// The copies of chats and [shelves](crate::form::SHELF), the one written last first.
    pub copies: Vec<ListedCopy>,
    /// How many bytes the `.gone` file of each browser has, by chat.
    pub gone: BTreeMap<Id, BTreeMap<Id, u64>>,
    /// The names of files that are none of Sash's, links and pipes. They are left alone.
    pub others: Vec<String>,
    /// How many others there are beside those.
    pub more_others: usize,
    /// Whether the directory is under version control, which keeps what is deleted.
    pub is_versioned: bool,
    /// How many bytes the former files have that are kept.
    pub kept_bytes: u64,
    /// Up to where the list has the [news](News).
    pub at: u64,
}

/// A copy in the directory, as its header says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedCopy {
    /// The chat, or the shelf.
    pub chat: Id,
    /// Whose copy it is.
    pub browser: Id,
    /// The title of the chat; of the shelf the name of the browser.
    pub title: String,
    /// How many messages it has.
    pub messages: u64,
    /// When it was written, in milliseconds since 1970.
    pub at: u64,
    /// The number of that write.
    pub write: u64,
    /// The state of the chat in that browser then.
    pub state: String,
    /// Who wrote it, as far as its header tells; [`Standing::Changed`] for one without a header that can be read.
    pub standing: Standing,
    /// Whether a newer Sash wrote it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_newer: bool,
    /// Its length in bytes.
    pub bytes: u64,
}

/// The body of `POST /api/v1/backup_news`: what is new since, as soon as something is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsRequest {
    /// The browser that asks.
    pub browser: Id,
    /// The page that asks: two pages that are there at the same time are not the same browser.
    pub page: Id,
    /// Up to where the page knows the news.
    pub since: u64,
}

/// What is new in the directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct News {
    /// Up to where these are the news.
    pub at: u64,
    /// All copies of each chat in which something is new. A chat without any has none any more.
    pub copies: Vec<ListedCopy>,
    /// The chats in which something is new, each with how many bytes the `.gone` file of each browser has.
    pub gone: BTreeMap<Id, BTreeMap<Id, u64>>,
    /// Whether not all news since then are known: the page lists the directory anew.
    pub is_incomplete: bool,
    /// Whether another page asks as the same browser now: one of the two is a copy, and takes another id.
    pub is_duplicate: bool,
}

/// The body of `POST /api/v1/backup_put`: a chat as a browser has it now, or its shelf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutRequest {
    /// The chat, or [`SHELF`](crate::form::SHELF).
    pub chat: Id,
    /// The browser that writes.
    pub browser: Id,
    /// The [lines](crate::lines::CopyLines).
    pub lines: String,
    /// The number of the last write of this copy that the browser knows of, or the time if that is greater: the next number is
    /// greater than this one, so none comes twice. A clock that is wrong costs nothing.
    #[serde(default)]
    pub write: u64,
    /// The [state](crate::lines::chat_state) of the chat; empty: not all of it is here.
    pub state: String,
    /// The title of the chat; of the shelf the name of the browser.
    pub title: String,
    /// The answers that are running.
    pub running: Vec<Id>,
    /// The clocks of its fields, [advanced](crate::clock::advance).
    pub fields: Fields,
}

/// A copy was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Put {
    /// The number of the write; 0: nothing is left of the chat that is to be written.
    pub write: u64,
    /// When it was written, in milliseconds since 1970.
    pub at: u64,
    /// The images of the copy that the directory does not have.
    pub missing: Vec<ImageHash>,
    /// The messages that were left out, because they were deleted for good.
    pub dropped: Vec<Id>,
    /// How many bytes of each browser's `.gone` file that knew.
    pub gone: BTreeMap<Id, u64>,
    /// The clocks as they were [settled](crate::clock::settle).
    pub fields: Fields,
}

/// A copy: the response of `POST /api/v1/backup_get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyText {
    /// Its text as it stands in its file.
    pub text: String,
    /// Who wrote it: the seal is checked where the key of seals is.
    pub standing: Standing,
}

/// An image: the response of `POST /api/v1/backup_get_image`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileText {
    /// Its bytes in base64.
    pub text: String,
}

/// The body of `POST /api/v1/backup_put_image`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutImageRequest {
    /// The chat that shows the image.
    pub chat: Id,
    /// The browser whose copy of that chat names it.
    pub browser: Id,
    /// The hash of the image.
    pub hash: ImageHash,
    /// Its bytes in base64.
    pub data: String,
}

/// What was deleted for good of a chat, by all browsers: the response of `POST /api/v1/backup_gone`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoneOfChat {
    /// The messages, and whether the chat as a whole was.
    #[serde(flatten)]
    pub gone: Gone,
    /// How many bytes each browser's `.gone` file has.
    pub bytes: BTreeMap<Id, u64>,
}

/// The body of `POST /api/v1/backup_purge`: what is to be removed of a chat for good, from all files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgeRequest {
    /// The chat.
    pub chat: Id,
    /// The browser that deletes it.
    pub browser: Id,
    /// The messages; nothing else can be deleted, so nothing goes that this browser has not seen.
    pub ids: Vec<Id>,
    /// Whether the chat goes that has no others.
    pub is_whole: bool,
    /// Whether no other purge follows at once: then the images go that no file names any more.
    pub is_last: bool,
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Purged {
    /// The paths of files that could not be rewritten or removed. The same request goes on with them.
    pub unreached: Vec<String>,
    /// How many files are none of Sash's: they may hold the words still.
    pub others: usize,
}

/// What was removed of a browser that is not used any more: the response of `POST /api/v1/backup_remove`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Removed {
    /// How many copies.
    pub copies: usize,
    /// The chats whose copy stays, because it has messages that no other copy has; with their titles.
    pub only_here: Vec<(Id, String)>,
}
