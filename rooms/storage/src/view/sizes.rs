//! Sizes of what the storage holds.

use sash_chat::Id;
use sash_log::{Key, QUARANTINE_PREFIX};
use sash_records::KINDS;
use sash_view::browser::storage;
use sash_words::t;

/// What uses room, in the order of the bar, by its names for the stylesheet.
pub const USES: [&str; 5] = ["chats", "packed", "trash", "aside", "other"];

/// The names of [`USES`].
pub fn names() -> [&'static str; USES.len()] {
    [
        t!(common.chats),
        t!(storage.packed_chats),
        t!(common.trash),
        t!(storage.set_aside),
        t!(storage.everything_else),
    ]
}

/// What a record is for: a place in [`USES`], or the reserve.
#[derive(Clone, Copy, PartialEq)]
enum StorageClass {
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

/// The used storage in UTF-16 units of keys and values, which is what browsers count.
#[derive(Clone, Default, PartialEq)]
pub struct Sizes {
    /// How much each of [`USES`] takes.
    pub uses: [usize; USES.len()],
    /// How much the reserve takes, which is there to be written over.
    pub reserve: usize,
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
            let size = sizes.uses.get_mut(class as usize);
            *size.unwrap_or(&mut sizes.reserve) += units;
        }
        sizes
    }

    /// The amount that is used: all but the reserve.
    pub fn used(&self) -> usize {
        self.uses.iter().sum()
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
