//! Tombstones: what is said to be deleted before anything is. One beats any record under it, from any tab
//! and from the journal, so nothing deleted comes back.

use sash_chat::json::{Fields, FromJson, read_by_hand};
use sash_chat::{Id, Message, Role};
use serde::Serialize;
use serde_json::Value;

/// Of a chat: in the trash, or emptied from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tombstone {
    /// When it was deleted, or emptied, in milliseconds since 1970.
    pub at: u64,
    /// Whether the records are gone for good. It stays a while all the same: another tab may not have heard.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

/// Of a message. It holds the message's place in the tree: what followed it goes on following what it followed,
/// also when nothing else of it is left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Removed {
    pub at: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
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

impl FromJson for Tombstone {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            // At first it was the time alone.
            at: value.as_u64().or_else(|| value.number("at"))?,
            purged: value.flag("purged"),
        })
    }
}

impl FromJson for Removed {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            at: value.number("at")?,
            purged: value.flag("purged"),
            parent: value.item("parent"),
            seq: value.number("seq")?,
            role: value.item("role")?,
        })
    }
}

read_by_hand!(Tombstone, Removed);
