//! The records in the lines of a copy.

use crate::compare::{Says, compare};
use crate::form::SHELF;
use crate::lines::{IMAGES, image_hashes};
use sash_chat::{Id, ImageHash, Message};
use sash_form::lines::{self, ExportLine};
use sash_log::{FOLDER, Key, is_checksum};
use sash_records::KINDS;
use sash_records::prompts::PROMPT;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The record that a line of a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot<'a> {
    Head,
    Tombstone,
    Message(Id),
    Removed(Id),
    /// A prompt or a folder of the list; its key, because they are of two kinds.
    Entry(Id, &'a str),
    /// A record of a later version.
    Unknown(&'a str),
}

impl<'a> Slot<'a> {
    /// The record that a key names in the copy of a chat; `None` for one that such a copy does not have.
    pub fn of(key: &'a str, chat: Id) -> Option<Self> {
        match Key::parse(key, KINDS) {
            Some(Key::Record(PROMPT | FOLDER, id)) if chat == SHELF => Some(Self::Entry(id, key)),
            Some(parsed) if parsed.chat() != Some(chat) || chat == SHELF => None,
            Some(Key::Head(_)) => Some(Self::Head),
            Some(Key::Tombstone(_)) => Some(Self::Tombstone),
            Some(Key::Message(_, _, id)) => Some(Self::Message(id)),
            Some(Key::Removed(_, id)) => Some(Self::Removed(id)),
            Some(_) => None,
            None => key.starts_with("sash:").then_some(Self::Unknown(key)),
        }
    }

    /// What can be deleted for good: a message, in a shelf a prompt or folder.
    pub fn id(self) -> Option<Id> {
        match self {
            Self::Message(id) | Self::Entry(id, _) => Some(id),
            _ => None,
        }
    }
}

/// The undamaged records of the lines that the copy of a chat may have, and their lines. A packed message may be the beginning of
/// the one that has a record of its own: that which says more counts.
pub fn slots(text: &str, chat: Id) -> BTreeMap<Slot<'_>, &str> {
    let mut slots = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        let ExportLine::Record { key, crc, data } = lines::parse(line) else {
            continue;
        };
        let Some(slot) = Slot::of(key, chat).filter(|_| is_checksum(crc, data)) else {
            continue;
        };
        let known = slots.entry(slot).or_insert(line);
        if compare_lines(slot, known, line) == Says::Nothing {
            *known = line;
        }
    }
    slots
}

/// What the former line of a record says that the newer one does not.
pub fn compare_lines(slot: Slot<'_>, former: &str, newer: &str) -> Says {
    match slot {
        _ if former == newer => Says::Nothing,
        Slot::Message(_) => match (read(former), read(newer)) {
            (Some(former), Some(newer)) => compare(&newer, &former),
            _ => Says::Otherwise,
        },
        Slot::Entry(..) => match (entry(former), entry(newer)) {
            (Some(former), Some(newer)) if former == newer => Says::Nothing,
            _ => Says::Otherwise,
        },
        _ => Says::Nothing,
    }
}

/// Whether a line is a message, or a prompt or folder that is not deleted.
pub fn has_words(slot: Slot<'_>, line: &str) -> bool {
    match slot {
        Slot::Entry(..) => read(line).is_some_and(|entry: Value| entry["deleted"].is_null()),
        slot => slot.id().is_some(),
    }
}

/// A prompt or folder, without the number of its rewrites, which is in the shelf of an earlier Sash.
fn entry(line: &str) -> Option<Map<String, Value>> {
    let mut entry: Map<String, Value> = read(line)?;
    entry.shift_remove("rev");
    Some(entry)
}

/// The images of a message; of one that cannot be read all that looks like one.
pub fn images_in(line: &str) -> BTreeSet<ImageHash> {
    if !line.contains(IMAGES) {
        return BTreeSet::new();
    }
    match read::<Message>(line) {
        Some(message) => message.images.iter().map(|image| image.hash).collect(),
        None => image_hashes(line),
    }
}

/// What the record of a line holds.
fn read<T: DeserializeOwned>(line: &str) -> Option<T> {
    match lines::parse(line) {
        ExportLine::Record { data, .. } => serde_json::from_str(data).ok(),
        _ => None,
    }
}
