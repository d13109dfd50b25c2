//! Exports chats: complete as JSON Lines, or as text for reading.

mod name;
mod reading;
mod share;
mod shared_content;

pub use name::file_name;
pub use reading::{markdown, text};
pub use share::{SharedPage, shared_page};
pub use shared_content::{Share, ShareExtras, ShareScope, leave_out_systems};

use sash_chat::{Id, ImageHash};
use sash_form::lines;
use sash_log::{
    FOLDER, Key, KeyValue, Log, MessageTombstone, QUARANTINE_PREFIX, Tombstone, encode_record,
};
use sash_records::prompts::{PROMPT, PromptLog};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};

/// Size at which a piece is returned, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportScope {
    /// One chat, deleted or not.
    One(Id),
    /// All chats that are not deleted.
    All,
    /// All chats, including those in the trash.
    AllAndDeleted,
}

/// A part of the file, of which the lines are still to be read.
#[derive(Debug)]
enum Part {
    Head(Id),
    Folders,
    Prompts,
    Messages(Id),
    /// The quarantined records: last, because reading the chats may add some.
    Quarantined,
}

/// A running export. It holds ids only: each chat is read when it is written out.
#[derive(Debug)]
pub struct Export {
    /// The chats that are exported; `None` where everything is: folders of no chat too, and prompts.
    chats: Option<Vec<Id>>,
    parts: VecDeque<Part>,
    /// The folders that the chats name, once their heads are read.
    folders: BTreeSet<Id>,
    /// The lines that were read and are in no piece yet.
    lines: VecDeque<String>,
    /// The images of the messages written so far.
    images: BTreeSet<ImageHash>,
}

impl Export {
    /// Starts an export as JSON Lines. `now` is in milliseconds since 1970.
    pub fn new<S: KeyValue>(log: &Log<S>, scope: ExportScope, now: u64) -> Self {
        if let ExportScope::One(id) = scope {
            return Self::of(log, vec![id], now);
        }
        let wanted = log.chat_keys().iter().filter(|(_, keys)| {
            keys.has_something() && (scope == ExportScope::AllAndDeleted || !keys.deleted)
        });
        let all: Vec<Id> = wanted.map(|(id, _)| *id).collect();
        Self {
            chats: None,
            ..Self::of(log, all, now)
        }
    }

    /// Starts an export of some chats as JSON Lines. `now` is in milliseconds since 1970.
    pub fn of<S: KeyValue>(log: &Log<S>, chats: Vec<Id>, now: u64) -> Self {
        let messages = chats.iter().filter_map(|id| log.chat_keys().get(id));
        // Packed messages are not counted, because that needs unpacking: the header states a lower bound.
        let messages = messages.map(|keys| keys.messages.len()).sum();
        let heads = chats.iter().copied().map(Part::Head);
        let parts = heads
            .chain([Part::Folders, Part::Prompts])
            .chain(chats.iter().copied().map(Part::Messages))
            .chain([Part::Quarantined]);
        Self {
            parts: parts.collect(),
            folders: BTreeSet::new(),
            lines: VecDeque::from([lines::header(now, chats.len(), messages)]),
            images: BTreeSet::new(),
            chats: Some(chats),
        }
    }

    /// How many chats are still to be exported.
    #[must_use]
    pub fn remaining(&self) -> usize {
        let chats = self.parts.iter();
        chats
            .filter(|part| matches!(part, Part::Messages(_)))
            .count()
    }

    /// The images of the messages in the pieces so far. Their lines follow the last piece, as far as their
    /// bytes are kept ([`image_line`](sash_form::image_line)).
    #[must_use]
    pub fn images(&self) -> &BTreeSet<ImageHash> {
        &self.images
    }

    /// The next piece of the file, about 64 KiB or one record; `None` at the end.
    pub fn next<S: KeyValue>(&mut self, log: &mut Log<S>) -> Option<String> {
        let mut piece = String::new();
        while piece.len() < PIECE_BYTES {
            if let Some(line) = self.lines.pop_front() {
                piece.push_str(&line);
            } else if let Some(part) = self.parts.pop_front() {
                self.read(log, part);
            } else {
                break;
            }
        }
        Some(piece).filter(|piece| !piece.is_empty())
    }

    /// Reads the lines of a part.
    fn read<S: KeyValue>(&mut self, log: &mut Log<S>, part: Part) {
        match part {
            Part::Head(id) => {
                if let Some(mut head) = log.head(id) {
                    // The messages are exported unpacked.
                    head.packed = None;
                    self.folders.extend(head.folder);
                    self.lines.push_back(line(Key::Head(id), &head));
                }
            }
            Part::Folders => {
                for folder in log.list_folders() {
                    if self.chats.is_none() || self.folders.contains(&folder.id) {
                        self.lines
                            .push_back(line(Key::Record(FOLDER, folder.id), &folder));
                    }
                }
            }
            Part::Prompts if self.chats.is_some() => {}
            Part::Prompts => {
                for prompt in log.list_prompts() {
                    self.lines
                        .push_back(line(Key::Record(PROMPT, prompt.id), &prompt));
                }
            }
            Part::Messages(id) => chat_lines(&mut self.lines, &mut self.images, log, id),
            Part::Quarantined => quarantined_lines(&mut self.lines, log, self.chats.as_deref()),
        }
    }
}

fn line<T: Serialize>(key: Key, value: &T) -> String {
    let (key, record) = (key.to_string(), encode_record(value));
    // The record was just encoded in the form that `line` accepts.
    lines::line(&key, &record).unwrap_or_default()
}

/// The lines of a chat's messages, deleted ones and tombstones included.
fn chat_lines<S: KeyValue>(
    out: &mut VecDeque<String>,
    images: &mut BTreeSet<ImageHash>,
    log: &mut Log<S>,
    id: Id,
) {
    let Some(chat) = log.load(id) else {
        return;
    };
    let (mut stored, mut removed, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    let mut deleted = false;
    if let Some(keys) = log.chat_keys().get(&id) {
        deleted = keys.deleted;
        stored.extend(keys.messages.iter().copied());
        removed.extend(keys.removed.iter().copied());
        segments.extend(keys.segments.iter().copied());
    }
    if deleted && let Some(at) = log.read::<Tombstone>(Key::Tombstone(id)) {
        out.push_back(line(Key::Tombstone(id), &at));
    }
    for message in chat.tree.all_messages() {
        images.extend(message.images.iter().map(|image| image.hash));
    }
    for message in chat.messages() {
        out.push_back(line(Key::Message(id, message.seq, message.id), message));
    }
    for message in removed {
        let Some(tombstone) = log.read::<MessageTombstone>(Key::Removed(id, message)) else {
            continue;
        };
        out.push_back(line(Key::Removed(id, message), &tombstone));
        if !tombstone.purged
            && let Some(message) = chat.get(message)
        {
            out.push_back(line(Key::Message(id, message.seq, message.id), message));
        }
    }
    let records: Vec<Key> = log.records_of(id).filter(|key| key.is_in_files()).collect();
    for key in records {
        if let Some(record) = log.read::<Value>(key) {
            log.collect_images(&key.to_string(), images);
            out.push_back(line(key, &record));
        }
    }
    // A record of a later version cannot be parsed here and is exported unchanged.
    for (seq, message) in stored {
        if chat.get(message).is_none() {
            raw_line(out, log, Key::Message(id, seq, message));
        }
    }
    for n in segments {
        if log.read::<IgnoredAny>(Key::Segment(id, n)).is_none() {
            raw_line(out, log, Key::Segment(id, n));
        }
    }
}

/// The quarantined records of these chats; without them, all.
fn quarantined_lines<S: KeyValue>(out: &mut VecDeque<String>, log: &Log<S>, chats: Option<&[Id]>) {
    let ids = chats.map(|chats| chats.iter().map(Id::to_string).collect::<Vec<_>>());
    let is_wanted = |key: &str| {
        ids.as_ref()
            .is_none_or(|ids| ids.iter().any(|id| key.contains(id)))
    };
    for key in log.store().keys() {
        if key.starts_with(QUARANTINE_PREFIX)
            && is_wanted(&key)
            && let Some(found) = log.store().get_json(&key)
        {
            out.push_back(lines::raw(&key, &found));
        }
    }
}

fn raw_line<S: KeyValue>(out: &mut VecDeque<String>, log: &Log<S>, key: Key) {
    let key = key.to_string();
    let line = log
        .store()
        .get(&key)
        .and_then(|record| lines::line(&key, &record));
    let line = line.or_else(|| Some(lines::raw(&key, &log.store().get_json(&key)?)));
    out.extend(line);
}
