//! How the storage is used.

use sash_chat::Id;
use sash_log::{Key, QUARANTINE_PREFIX};
use sash_records::KINDS;
use sash_view::browser::storage;
use sash_words::t;

/// The purpose of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StorageClass {
    /// Messages and the heads of chats.
    Chats,
    /// Packed messages.
    Packed,
    /// Deleted chats and messages.
    Trash,
    /// Unreadable records.
    SetAside,
    /// Settings, and data of other programs under this address.
    Other,
    /// The reserve for the end of a running answer.
    Reserve,
}

impl StorageClass {
    /// The classes that use room, in the order of the bar: the reserve is there to be written over.
    pub const USED: [Self; 5] = [
        Self::Chats,
        Self::Packed,
        Self::Trash,
        Self::SetAside,
        Self::Other,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chats => t!(common.chats),
            Self::Packed => t!(storage.packed_chats),
            Self::Trash => t!(common.trash),
            Self::SetAside => t!(storage.set_aside),
            Self::Other => t!(storage.everything_else),
            Self::Reserve => t!(storage.kept_free),
        }
    }

    /// Its name for the stylesheet.
    pub fn css(self) -> &'static str {
        match self {
            Self::Chats => "chats",
            Self::Packed => "packed",
            Self::Trash => "trash",
            Self::SetAside => "aside",
            Self::Other => "other",
            Self::Reserve => "reserve",
        }
    }
}

/// The used storage in UTF-16 units of keys and values, which is what browsers count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    parts: [usize; StorageClass::USED.len() + 1],
    /// The number of unreadable records.
    pub set_aside: usize,
}

impl Sizes {
    /// Counts the storage. `is_deleted` tells whether a chat, or a message of it, is deleted.
    pub fn count(is_deleted: impl Fn(Id, Option<Id>) -> bool) -> Self {
        let mut sizes = Self::default();
        for (key, units) in storage::sizes() {
            let class = class(&key, &is_deleted);
            sizes.set_aside += usize::from(class == StorageClass::SetAside);
            sizes.parts[class as usize] += units;
        }
        sizes
    }

    /// The amount of a class.
    pub fn of(&self, class: StorageClass) -> usize {
        self.parts[class as usize]
    }

    /// The amount that is used: all but the reserve.
    pub fn used(&self) -> usize {
        let used = StorageClass::USED.into_iter();
        used.map(|class| self.of(class)).sum()
    }
}

fn class(key: &str, is_deleted: &impl Fn(Id, Option<Id>) -> bool) -> StorageClass {
    if key.starts_with(QUARANTINE_PREFIX) {
        return StorageClass::SetAside;
    }
    let Some(key) = Key::parse(key, KINDS) else {
        return StorageClass::Other;
    };
    let deleted = key.chat().is_some_and(|chat| match key {
        Key::Message(_, _, id) => is_deleted(chat, None) || is_deleted(chat, Some(id)),
        _ => is_deleted(chat, None),
    });
    match key {
        Key::Tombstone(_) | Key::Removed(..) => StorageClass::Trash,
        _ if deleted => StorageClass::Trash,
        // It says what is elsewhere.
        Key::Record(kind, _) if !kind.is_of_chat && !kind.in_files => StorageClass::Other,
        Key::Head(_) | Key::Record(..) | Key::Message(..) | Key::Tail(..) => StorageClass::Chats,
        Key::Segment(..) => StorageClass::Packed,
        Key::Reserve => StorageClass::Reserve,
        Key::Meta | Key::Settings | Key::Import(_) | Key::Stop(_) => StorageClass::Other,
    }
}
