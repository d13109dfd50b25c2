//! What is left of a text without what was deleted for good.

use super::slots::{Slot, images_in};
use crate::call::GoneOfChat;
use crate::form::{Copy, CopyId, CopyRecord, SHELF, Standing, Unreadable, compose, parse};
use crate::{BackupFault, BackupKey};
use sash_chat::{Id, ImageHash};
use sash_log::QUARANTINE_PREFIX;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Deserializer;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Takes out of a text what was deleted for good: borrowed if it has nothing of that, and none if nothing is left of it.
///
/// # Errors
/// That it cannot be said: a newer Sash wrote it, or it is too long.
pub fn redact<'a>(
    text: &'a str,
    of: CopyId,
    gone: &GoneOfChat,
    key: &BackupKey,
) -> Result<Option<Cow<'a, str>>, BackupFault> {
    let ids = &gone.gone.ids;
    let unchanged = Ok(Some(Cow::Borrowed(text)));
    if ids.is_empty() && !gone.gone.chat {
        return unchanged;
    }
    let copy = match parse(text, of, key) {
        Err(Unreadable::Newer) if names_any(text, ids) => return Err(BackupFault::Newer),
        Err(Unreadable::Newer) => return unchanged,
        Err(Unreadable::NoHeader) => None,
        Ok(copy) => Some(copy),
    };
    let lines = copy.as_ref().map_or(text, |copy| copy.lines);
    let left = Left::new(lines, of.chat, ids);
    if gone.gone.chat && left.count == 0 {
        return Ok(None);
    }
    let is_less = left.lines.len() < lines.len();
    match copy {
        Some(copy) if is_less || copy.header.backup.gone != gone.bytes => {
            redacted_copy(&copy, of, &left, gone, key).map(|text| Some(Cow::Owned(text)))
        }
        None if is_less => Ok(Some(Cow::Owned(left.lines))),
        _ => unchanged,
    }
}

/// A copy with these lines. Who has no right seal gets none.
fn redacted_copy(
    copy: &Copy<'_>,
    of: CopyId,
    left: &Left,
    gone: &GoneOfChat,
    key: &BackupKey,
) -> Result<String, BackupFault> {
    let images: BTreeSet<ImageHash> = left.lines.lines().flat_map(images_in).collect();
    let record = copy.header.backup.clone();
    let record = CopyRecord {
        // It may be the beginning of a text that goes. That of a shelf is the name of its browser.
        title: match of.chat {
            SHELF => record.title,
            _ => String::new(),
        },
        images: images.into_iter().collect(),
        gone: gone.bytes.clone(),
        ..record
    };
    let none = BackupKey::default();
    let key = match copy.standing {
        Standing::Sealed => key,
        Standing::Unsealed | Standing::Changed => &none,
    };
    let exported = copy.header.exported;
    compose(of, record, &left.lines, left.count, exported, key)
}

/// Whether a text has one of these ids in it.
fn names_any(text: &str, ids: &BTreeSet<Id>) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_hexdigit());
    words.any(|word| word.parse().is_ok_and(|id| ids.contains(&id)))
}

/// What is left of a text.
#[derive(Debug, Default)]
struct Left {
    lines: String,
    /// How many messages, or prompts and folders.
    count: usize,
}

/// A record in any spelling.
#[derive(Deserialize)]
struct AnyRecord {
    key: String,
}

impl Left {
    fn new(text: &str, chat: Id, ids: &BTreeSet<Id>) -> Self {
        let mut left = Self::default();
        let (mut start, mut at) = (0, 0);
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            if serde_json::from_str::<AnyRecord>(line).is_ok() {
                left.take_others(&text[start..at], chat, ids);
                left.take(line, chat, ids);
                start = end;
            }
            at = end;
        }
        left.take_others(&text[start..], chat, ids);
        left
    }

    /// Takes lines that are no records: there may be several records in one, or one on several lines. Nothing is read twice, so a
    /// long text of openings costs no more than another one.
    fn take_others(&mut self, text: &str, chat: Id, ids: &BTreeSet<Id>) {
        let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
        let mut at = 0;
        while let Some(Ok(_)) = values.next() {
            self.take(&text[at..values.byte_offset()], chat, ids);
            at = values.byte_offset();
        }
        self.take(&text[at..], chat, ids);
    }

    /// Takes a record, or what is none: that goes if it has one of the ids in it.
    fn take(&mut self, text: &str, chat: Id, ids: &BTreeSet<Id>) {
        let record: Option<AnyRecord> = serde_json::from_str(text).ok();
        let key = record.map_or_else(String::new, |record| record.key);
        // A record that could not be read is kept under its own key behind a prefix.
        let key = key.strip_prefix(QUARANTINE_PREFIX).unwrap_or(&key);
        let slot = Slot::of(key, chat);
        let goes = match slot {
            None | Some(Slot::Unknown(_)) => names_any(text, ids),
            Some(slot) => slot.id().is_some_and(|id| ids.contains(&id)),
        };
        if !goes {
            self.count += usize::from(slot.is_some_and(|slot| slot.id().is_some()));
            self.lines.push_str(text);
        }
    }
}
