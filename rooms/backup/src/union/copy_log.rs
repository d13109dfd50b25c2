//! A copy as a log in memory, so that it is read as any other log.

use crate::clock::SHELF;
use sash_chat::Id;
use sash_form::lines::{self, ExportLine};
use sash_log::{
    FOLDER, Key, KeyValue, Log, MemoryStore, MessageTombstone, is_checksum, join_record,
};
use sash_records::KINDS;
use sash_records::prompts::PROMPT;

/// The highest place of a message that a copy may give: keys have room for 36^6.
const MAX_SEQ: u32 = 2_000_000_000;

/// Reads the lines of the copy of a chat, or of a shelf, without the messages that were deleted for good. A line that is damaged,
/// or is of something else, says nothing; whether a message is damaged is found where it is read, since most are here already.
/// There is always room in memory for a log.
pub(super) fn read_copy(
    lines: &str,
    chat: Id,
    is_gone: impl Fn(Id) -> bool,
) -> Option<Log<MemoryStore>> {
    let mut store = MemoryStore::default();
    for line in lines.lines() {
        if let ExportLine::Record { key, crc, data } = lines::parse(line)
            && let Some(parsed) = Key::parse(key, KINDS)
            && is_of(chat, parsed, data, &is_gone)
            && (matches!(parsed, Key::Message(..)) || is_checksum(crc, data))
        {
            // Of a packed message and one with a record of its own the record comes later, and counts.
            store.set(key, &join_record(crc, data)).ok()?;
        }
    }
    Log::open(store, Id(0), KINDS).ok()
}

fn is_of(chat: Id, key: Key, data: &str, is_gone: impl Fn(Id) -> bool) -> bool {
    match key {
        Key::Message(of, seq, id) => of == chat && seq <= MAX_SEQ && !is_gone(id),
        Key::Head(of) | Key::Tombstone(of) => of == chat,
        Key::Removed(of, id) => {
            let tombstone = serde_json::from_str(data);
            let is_taken = |it: MessageTombstone| it.seq <= MAX_SEQ && (it.purged || !is_gone(id));
            of == chat && tombstone.is_ok_and(is_taken)
        }
        Key::Record(PROMPT | FOLDER, _) => chat == SHELF,
        _ => false,
    }
}
