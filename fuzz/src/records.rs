//! Records: the log opens whatever the store contains, and never loses a value that it cannot read.

use super::text;
use sash_chat::Id;
use sash_log::{Key, KeyValue, Log, MemoryStore, StoreError, parse_record};
use serde_json::Value;

/// The chat that the records of this target belong to.
const CHAT: Id = Id(7);

/// Stores a text under a key, which the first byte chooses, once unchanged and once as the payload
/// of a complete record, and reads the log.
///
/// # Panics
/// When a value of the store is lost.
pub fn run(data: &[u8]) {
    let (first, text) = text(data);
    let whole = sash_log::encode_record(&serde_json::from_str(&text).unwrap_or(Value::Null));
    for value in [text, whole] {
        let key = key(first);
        let mut store = MemoryStore::default();
        if put(&mut store, key, &value).is_err() {
            return;
        }
        let Ok(mut log) = Log::open(store, Id(1), sash_records::KINDS) else {
            return;
        };
        log.load(CHAT);
        log.chat_list();
        log.clean_up_purged(0);
        let store = log.store();
        let is_kept = store
            .keys()
            .iter()
            .any(|key| store.get(key).as_ref() == Some(&value));
        let is_readable = parse_record::<Value>(&value).is_ok();
        assert!(is_kept || is_readable, "{key}: {value:?} is lost");
    }
}

fn key(first: u8) -> Key {
    match first % 7 {
        0 => Key::Head(CHAT),
        1 => Key::Message(CHAT, 1, Id(2)),
        2 => Key::Tail(CHAT, Id(2), 0),
        3 => Key::Tail(CHAT, Id(2), 1),
        4 => Key::Removed(CHAT, Id(2)),
        5 => Key::Segment(CHAT, 0),
        _ => Key::Tombstone(CHAT),
    }
}

fn put(store: &mut MemoryStore, key: Key, value: &str) -> Result<(), StoreError> {
    store.set(&key.to_string(), value)
}
