//! Clocks of fields: which of two values is the later one, said alike by every browser.
//!
//! A field is a part of a chat's head, whether the chat or a message is in the trash, or a prompt or folder of the list.
//! Its clock counts its changes; no time of a machine is in it.

use sash_chat::{Folder, Head, Id};
use sash_log::{FOLDER, Key, KeyValue, Log, MessageTombstone, Tombstone, checksum, parse_record};
use sash_records::FIELDS;
use sash_records::backup::{HeadFields, head_fields};
use sash_records::prompts::{PROMPT, SavedPrompt};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The field that says whether a chat is in the trash.
pub const DELETED: &str = "deleted";
/// What the field begins with that says whether a message is in the trash; its id follows.
pub const REMOVED: &str = "removed/";
/// In the place of a chat: the prompts and folders of the list. The title of such a copy is the name of the browser.
pub const SHELF: Id = Id(0);
/// The highest number that a file may count to. A higher one is none that Sash wrote.
pub const MAX_COUNT: u64 = 1 << 53;
/// Stands for the number of the write that brings a change, until the directory has given it one.
pub const THIS_WRITE: u64 = MAX_COUNT;

/// The digits of a checksum.
const CRC_DIGITS: usize = 8;

/// The clocks of fields by their names.
pub type Fields = BTreeMap<String, FieldClock>;

/// The clock of a field: `[count, "crc", write, known]` in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(u64, String, u64, u64)", into = "(u64, String, u64, u64)")]
pub struct FieldClock {
    /// How many changes the field has had.
    pub count: u64,
    /// The checksum of its value; empty: it is not set.
    pub crc: String,
    /// The write of the own copy in which this browser set it; 0: another browser did.
    pub write: u64,
    /// The highest count of another browser's value that was known where it was set.
    pub known: u64,
}

impl TryFrom<(u64, String, u64, u64)> for FieldClock {
    type Error = &'static str;

    fn try_from((count, crc, write, known): (u64, String, u64, u64)) -> Result<Self, Self::Error> {
        let is_counted = [count, write, known].iter().all(|n| *n <= MAX_COUNT);
        let is_bounded = is_counted && crc.len() <= CRC_DIGITS;
        let clock = Self {
            count,
            crc,
            write,
            known,
        };
        is_bounded.then_some(clock).ok_or("no clock of a field")
    }
}

impl From<FieldClock> for (u64, String, u64, u64) {
    fn from(clock: FieldClock) -> Self {
        (clock.count, clock.crc, clock.write, clock.known)
    }
}

impl FieldClock {
    /// The order of two values of a field: the greater one counts. Of as many changes the greater checksum decides, so that it
    /// is the same one everywhere.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        (self.count, &self.crc).cmp(&(other.count, &other.crc))
    }

    /// Whether it is the clock of this value.
    #[must_use]
    pub fn is_of(&self, value: Option<&Value>) -> bool {
        self.crc == checksum_of(value)
    }

    /// Notes that the value of another browser gives way to this one. Returns whether it was not known where this one was set:
    /// then somebody may miss it.
    pub fn replaces_unknown(&mut self, other: &Self) -> bool {
        // What was not handed over yet is known to nobody.
        let is_unknown = other.write == THIS_WRITE || other.count > self.known;
        self.known = self.known.max(other.count);
        is_unknown
    }

    /// The clock after a change to a value of this checksum.
    fn next(&self, crc: String) -> Self {
        Self {
            count: (self.count + 1).min(MAX_COUNT),
            crc,
            write: THIS_WRITE,
            known: match self.write {
                0 => self.count,
                _ => self.known,
            },
        }
    }
}

fn checksum_of(value: Option<&Value>) -> String {
    value.map_or_else(String::new, |value| checksum(&value.to_string()))
}

/// The name of the field that says whether a message is in the trash.
#[must_use]
pub fn removed_field(message: Id) -> String {
    format!("{REMOVED}{message}")
}

/// The tombstone of a chat, or of a message, of which a field says whether it is there.
pub(crate) fn tombstone_of(field: &str, chat: Id) -> Option<Key> {
    match field.strip_prefix(REMOVED) {
        Some(id) => Some(Key::Removed(chat, id.parse().ok()?)),
        None => (field == DELETED).then_some(Key::Tombstone(chat)),
    }
}

/// The fields of a chat that are set, or of the shelf; `None` for a chat whose head cannot be read: then nothing is known to be
/// unset.
#[must_use]
pub fn field_values<S: KeyValue>(log: &Log<S>, chat: Id) -> Option<HeadFields> {
    if chat == SHELF {
        let keys = shelf_keys(log).into_iter();
        let values = keys.filter_map(|key| Some((key.to_string(), shelf_value(log, key)?)));
        return Some(values.collect());
    }
    let mut values = head_values(&read(log, Key::Head(chat))?);
    let keys = log.chat_keys().get(&chat)?;
    if keys.deleted && !is_chat_purged(log, chat) {
        values.insert(DELETED.to_owned(), Value::Bool(true));
    }
    for id in &keys.removed {
        if !is_purged(log, chat, *id) {
            values.insert(removed_field(*id), Value::Bool(true));
        }
    }
    Some(values)
}

/// The fields of a head.
pub(crate) fn head_values(head: &Head) -> HeadFields {
    let mut values = head_fields(head, FIELDS);
    // Each browser has a position of its own. The fields of rooms are no fields by their rules.
    values.remove("at");
    // A field that a later version wrote does not pass for the trash.
    values.retain(|name, _| name != DELETED && !name.starts_with(REMOVED));
    values
}

/// The prompts and folders of the list, deleted ones too.
pub(crate) fn shelf_keys<S: KeyValue>(log: &Log<S>) -> Vec<Key> {
    let of = |kind| {
        log.ids_of(kind)
            .into_iter()
            .map(move |id| Key::Record(kind, id))
    };
    of(PROMPT).chain(of(FOLDER)).collect()
}

/// A prompt or folder of the list as it stands in a copy: of a deleted one no words, and none has the number of rewrites, which
/// each browser counts for itself.
pub(crate) fn shelf_value<S: KeyValue>(log: &Log<S>, key: Key) -> Option<Value> {
    let value = match key {
        Key::Record(PROMPT, _) => {
            let prompt: SavedPrompt = read(log, key)?;
            let is_deleted = prompt.deleted.is_some();
            serde_json::to_value(if is_deleted { prompt.purged() } else { prompt })
        }
        Key::Record(FOLDER, _) => {
            let folder: Folder = read(log, key)?;
            let is_deleted = folder.deleted.is_some();
            serde_json::to_value(if is_deleted { folder.purged() } else { folder })
        }
        _ => return None,
    };
    let mut value = value.ok()?;
    value.as_object_mut()?.shift_remove("rev");
    Some(value)
}

/// A record of the log that is undamaged.
pub(crate) fn read<T: DeserializeOwned, S: KeyValue>(log: &Log<S>, key: Key) -> Option<T> {
    parse_record(&log.record(&key.to_string())?).ok()
}

/// Whether a message was deleted here for good.
pub(crate) fn is_purged<S: KeyValue>(log: &Log<S>, chat: Id, message: Id) -> bool {
    let tombstone = || read::<MessageTombstone, _>(log, Key::Removed(chat, message));
    log.is_removed(chat, message) && tombstone().is_some_and(|tombstone| tombstone.purged)
}

/// Whether a chat was deleted here for good.
pub(crate) fn is_chat_purged<S: KeyValue>(log: &Log<S>, chat: Id) -> bool {
    let tombstone = || read::<Tombstone, _>(log, Key::Tombstone(chat));
    log.is_deleted(chat) && tombstone().is_some_and(|tombstone| tombstone.purged)
}

/// Counts a change of each field that has another value than its clock says. [`THIS_WRITE`] stands for the number of the write
/// that brings it, until [`settle`].
pub fn advance<S: KeyValue>(clocks: &mut Fields, log: &Log<S>, chat: Id) {
    let Some(values) = field_values(log, chat) else {
        return;
    };
    for (name, value) in &values {
        let clock = clocks.entry(name.clone()).or_default();
        if !clock.is_of(Some(value)) {
            *clock = clock.next(checksum_of(Some(value)));
        }
    }
    // A prompt or folder that was deleted says so itself, so one that is missing is damaged, and its clock stays.
    if chat == SHELF {
        return;
    }
    // Of a message that was deleted for good nothing is said any more: nobody took it out of the trash.
    let is_purged = |name: &str| {
        let key = tombstone_of(name, chat);
        matches!(key, Some(Key::Removed(_, id)) if log.is_removed(chat, id))
    };
    clocks.retain(|name, _| values.contains_key(name) || !is_purged(name));
    for (name, clock) in clocks {
        if !values.contains_key(name) && !clock.crc.is_empty() {
            *clock = clock.next(String::new());
        }
    }
}

/// Gives the changes since the last write of a copy their numbers: more than in any other copy of the chat, so that the
/// latest change counts. `own` are the clocks of the former copy, `others` those of the other browsers' copies.
///
/// A value that is the one of the highest clock is no change: a chat that was restored, or a write whose answer was lost.
pub fn settle(clocks: &mut Fields, write: u64, own: &Fields, others: &Fields) {
    for (name, clock) in clocks {
        if clock.write != THIS_WRITE {
            continue;
        }
        let own = own.get(name);
        let known = [own, others.get(name)].into_iter().flatten();
        match known.max_by(|one, other| one.compare(other)) {
            Some(known) if known.crc == clock.crc && known.count >= clock.count => {
                let own = own.filter(|own| own.crc == clock.crc);
                *clock = FieldClock {
                    write: own.map_or(0, |own| own.write),
                    ..known.clone()
                };
            }
            known => {
                let highest = known.map_or(0, |known| known.count);
                clock.count = clock.count.max((highest + 1).min(MAX_COUNT));
                clock.write = write;
            }
        }
    }
}

/// Raises clocks to those of another copy where these are greater.
pub fn raise(clocks: &mut Fields, other: &Fields) {
    for (name, clock) in other {
        let known = clocks.entry(name.clone()).or_default();
        if clock.compare(known).is_gt() {
            known.clone_from(clock);
        }
    }
}
