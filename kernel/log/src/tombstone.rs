//! Tombstones: written before anything is deleted. A tombstone overrides any record of its chat or message,
//! from any tab and from the journal, so that nothing deleted comes back.

use sash_chat::{Id, Message, Role};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// Tombstone of a chat that is in the trash, or was purged from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptTombstone")]
pub struct Tombstone {
    /// When the chat was deleted or purged, in milliseconds since 1970.
    pub at: u64,
    /// Whether the records were purged. The tombstone stays for a while, because another tab may not know
    /// yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

/// A tombstone as the log keeps it.
#[serde_as]
#[derive(Deserialize)]
#[serde(untagged)]
enum KeptTombstone {
    Fields {
        at: u64,
        #[serde(default)]
        #[serde_as(as = "DefaultOnError")]
        purged: bool,
    },
    /// The first version stored the time alone.
    Time(u64),
}

impl From<KeptTombstone> for Tombstone {
    fn from(kept: KeptTombstone) -> Self {
        match kept {
            KeptTombstone::Fields { at, purged } => Self { at, purged },
            KeptTombstone::Time(at) => Self { at, purged: false },
        }
    }
}

/// Tombstone of a message. It stores the message's place in the tree, so that descendants keep their parent
/// even after the message is purged.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageTombstone {
    /// When the message was deleted or purged, in milliseconds since 1970.
    pub at: u64,
    /// Whether its record was purged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub purged: bool,
    /// The message before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub parent: Option<Id>,
    /// Its place in the order of writing.
    pub seq: u32,
    /// Who wrote it.
    pub role: Role,
}

impl MessageTombstone {
    /// The tombstone of this message.
    #[must_use]
    pub fn of(message: &Message, at: u64) -> Self {
        Self {
            at,
            purged: false,
            parent: message.parent,
            seq: message.seq,
            role: message.role,
        }
    }

    /// An empty message in the place of the purged one.
    #[must_use]
    pub fn stub(&self, id: Id) -> Message {
        Message::new(id, self.parent, self.seq, self.role, self.at)
    }
}
