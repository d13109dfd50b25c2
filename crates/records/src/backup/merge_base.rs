//! The last common state of a chat in the backup's folder and in this browser: the base of the three-way merge by which
//! a browser stays in step with the folder. Only a browser that follows the folder has such records.

use sash_chat::Id;
use sash_log::{RecordKind, Rewrites};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::collections::BTreeMap;

/// What the folder of the backup and this browser last had in common of a chat. It says what is elsewhere, so it is no part of
/// the chat.
pub const MERGE_BASE: &RecordKind = &RecordKind {
    letter: "b",
    is_of_chat: false,
    in_files: false,
    rewrites: Rewrites::Uncounted,
};

/// How many messages of a chat that was deleted for good are remembered. Of a longer one the highest `seq` tells those that
/// were written later.
pub const MAX_PURGED_MESSAGES: usize = 2000;

/// The last version of a chat's file that this browser has read or written.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MergeBase {
    /// The number of that version.
    #[serde_as(as = "DefaultOnError")]
    pub version: u64,
    /// The checksum of the file's lines: a folder of an earlier day may give that number to another version.
    #[serde_as(as = "DefaultOnError")]
    pub crc: String,
    /// The [digest](super::BackupLog::chat_digest) of the chat here if everything of it was in that version; empty otherwise.
    #[serde_as(as = "DefaultOnError")]
    pub digest: String,
    /// The highest `seq` of the chat's messages then.
    #[serde_as(as = "DefaultOnError")]
    pub seq: u32,
    /// The checksum of each field of that version.
    #[serde_as(as = "DefaultOnError")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// Whether the chat was deleted for good: if a folder of an earlier day has it again, it is deleted again.
    #[serde_as(as = "DefaultOnError")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
    /// The messages that it had, up to [`MAX_PURGED_MESSAGES`].
    #[serde_as(as = "DefaultOnError<VecSkipError<_>>")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub purged_messages: Vec<Id>,
}
