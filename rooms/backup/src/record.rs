//! What a browser remembers of its copy of a chat. It stands under the chat's id, for the shelf under that of
//! [`SHELF`](crate::form::SHELF), and is in no file.

use crate::clock::Fields;
use sash_chat::Id;
use sash_log::{Key, KeyValue, Log, StoreError, encode_record};
use sash_records::backup::COPY_STATE;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, MapSkipError, VecSkipError, serde_as};
use std::collections::{BTreeMap, BTreeSet};

/// How many messages are remembered whose deletion the directory was told; the newest. A directory that was restored from an
/// earlier day is told again.
pub const MAX_PURGED: usize = 2000;

/// What a browser remembers of its copy of a chat. A record of an earlier Sash is read as one of which nothing is known.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CopyState {
    /// The number of the last write; 0: none.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub write: u64,
    /// The [state](crate::lines::chat_state) that was handed over last.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub state: String,
    /// The clocks of the fields.
    #[serde_as(deserialize_as = "DefaultOnError<MapSkipError<_, _>>")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: Fields,
    /// The writes of other browsers' copies that are merged here.
    #[serde_as(deserialize_as = "DefaultOnError<MapSkipError<_, _>>")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub seen: BTreeMap<Id, u64>,
    /// How many bytes of each browser's `.gone` file are applied here.
    #[serde_as(deserialize_as = "DefaultOnError<MapSkipError<_, _>>")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gone: BTreeMap<Id, u64>,
    /// How many messages the last write left out, because another browser deleted them for good.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub dropped: usize,
    /// The messages that were deleted for good here and whose deletion the directory is still to be told.
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_purge: Vec<Id>,
    /// Whether it is to be told that of the chat as a whole, too.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub purges_chat: bool,
    /// The messages whose deletion it was told, up to [`MAX_PURGED`].
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub purged: Vec<Id>,
}

impl CopyState {
    /// What is remembered of a chat.
    #[must_use]
    pub fn read<S: KeyValue>(log: &mut Log<S>, chat: Id) -> Self {
        log.read(Key::Record(COPY_STATE, chat)).unwrap_or_default()
    }

    /// Remembers it: after everything that it says is so. What waits for room is not so yet, and is gone with a page that is
    /// killed.
    ///
    /// # Errors
    /// [`StoreError`]; the former one stays, and nothing waits for room.
    pub fn save<S: KeyValue>(&self, log: &mut Log<S>, chat: Id) -> Result<(), StoreError> {
        if log.waiting() > 0 {
            return Err(StoreError::Full);
        }
        log.add_imported(Key::Record(COPY_STATE, chat), &encode_record(self))
    }

    /// Notes that the directory was told of these messages that were deleted for good, and of the chat as a whole.
    pub fn told_of_purges(&mut self, told: &BTreeSet<Id>, of_chat: bool) {
        self.to_purge.retain(|id| !told.contains(id));
        // Where others went on in it, it is another chat once all those messages are told.
        self.purges_chat &= !of_chat && !self.to_purge.is_empty();
        self.purged.retain(|id| !told.contains(id));
        self.purged.extend(told);
        let excess = self.purged.len().saturating_sub(MAX_PURGED);
        self.purged.drain(..excess);
    }
}
