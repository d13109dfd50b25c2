//! Tombstones: what is said to be deleted before anything is. One beats any record under it, from any tab
//! and from the journal, so nothing deleted comes back.

use sash_chat::{Id, Message, Role};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// Of a chat: in the trash, or emptied from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptTombstone")]
pub struct Tombstone {
    /// When it was deleted, or emptied, in milliseconds since 1970.
    pub at: u64,
    /// Whether the records are gone for good. It stays a while all the same: another tab may not have heard.
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
    /// The first version wrote the time alone.
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

/// Of a message. It holds the message's place in the tree: what followed it goes on following what it followed,
/// also when nothing else of it is left.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Removed {
    pub at: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub purged: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde_as(as = "DefaultOnError")]
    pub parent: Option<Id>,
    pub seq: u32,
    pub role: Role,
}

impl Removed {
    /// Of that message.
    pub fn of(message: &Message, at: u64) -> Self {
        Self {
            at,
            purged: false,
            parent: message.parent,
            seq: message.seq,
            role: message.role,
        }
    }

    /// A message without words in the place of the one that is gone.
    pub fn stub(&self, id: Id) -> Message {
        Message::new(id, self.parent, self.seq, self.role, self.at)
    }
}
