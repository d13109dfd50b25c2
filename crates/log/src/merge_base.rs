//! What the folder of the backup and this browser last had in common of a chat: the base of the three-way merge by which
//! a browser stays in step with the folder. Only a browser that follows the folder has such records.

use super::{Key, Log, MERGE_BASE, Store, StoreError};
use sash_chat::{Head, Id};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::collections::BTreeMap;

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
    /// The [digest](Log::chat_digest) of the chat here if everything of it was in that version; empty otherwise.
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

impl<S: Store> Log<S> {
    /// The merge base of a chat, if there is one.
    pub fn merge_base(&mut self, chat: Id) -> Option<MergeBase> {
        self.read(Key::Record(MERGE_BASE, chat))
    }

    /// The highest `seq` of the messages of a chat, packed ones included; 0 without any.
    pub fn highest_seq(&mut self, chat: Id) -> u32 {
        let keys = self.chats.get(&chat);
        let seq = keys
            .and_then(|keys| keys.messages.last())
            .map_or(0, |(seq, _)| *seq);
        let head = self.read::<Head>(Key::Head(chat));
        let packed = head.and_then(|head| head.packed);
        seq.max(packed.map_or(0, |packed| packed.seq))
    }

    /// Writes the merge base of a chat: after everything that was merged, so that it never claims more than is here.
    ///
    /// # Errors
    /// [`StoreError`]. Nothing waits for room: without the record the chat is merged again.
    pub fn save_merge_base(&mut self, chat: Id, base: &MergeBase) -> Result<(), StoreError> {
        let name = Key::Record(MERGE_BASE, chat).to_string();
        self.set_or_leave(&name, &super::encode_record(base))
    }

    /// Remembers which messages a chat has that is about to be deleted for good: a folder that could not be reached may have it
    /// still, and another browser may go on with it there.
    pub(super) fn remember_purge(&mut self, chat: Id) {
        let Some(base) = self.merge_base(chat).filter(|base| !base.purged) else {
            return;
        };
        let seq = self.highest_seq(chat);
        let loaded = self.load(chat);
        let messages = loaded.iter().flat_map(|chat| chat.tree.all_messages());
        let purged_messages = messages
            .map(|message| message.id)
            .take(MAX_PURGED_MESSAGES)
            .collect();
        let base = MergeBase {
            seq,
            purged: true,
            purged_messages,
            ..base
        };
        // Without room the chat comes back if the folder has it.
        self.save_merge_base(chat, &base).ok();
    }

    /// Lets a chat be there again that was deleted for good, because somebody else went on with it. None of its texts
    /// comes back by that.
    pub fn forget_purge(&mut self, chat: Id) {
        self.remove(Key::Tombstone(chat));
        self.remove(Key::Record(MERGE_BASE, chat));
    }
}
