use super::{CHAT, open, written};
use crate::clock::FieldClock;
use crate::form::{MAX_COUNT, SHELF};
use crate::record::{CopyState, MAX_PURGED};
use sash_chat::Id;
use sash_log::{Key, KeyValue, encode_record};
use sash_records::backup::COPY_STATE;
use serde_json::json;
use std::collections::BTreeMap;

fn state() -> CopyState {
    let clock = FieldClock {
        count: 3,
        crc: "0a1b2c3d".to_owned(),
        write: 17,
        known: 2,
    };
    CopyState {
        write: 17,
        state: "ab".repeat(16),
        fields: BTreeMap::from([("title".to_owned(), clock)]),
        seen: BTreeMap::from([(Id(2), MAX_COUNT)]),
        gone: BTreeMap::from([(Id(2), 80)]),
        dropped: 1,
        to_purge: vec![Id(101)],
        purges_chat: true,
        purged: vec![Id(102)],
    }
}

#[test]
fn what_is_remembered_of_a_copy_is_read_as_it_was_saved_and_is_no_part_of_the_chat() {
    let mut log = written();
    assert_eq!(CopyState::read(&mut log, CHAT), CopyState::default());
    state().save(&mut log, CHAT).unwrap();
    CopyState::default().save(&mut log, SHELF).unwrap();
    let mut log = open(log.store().clone());
    assert_eq!(CopyState::read(&mut log, CHAT), state());
    assert_eq!(CopyState::read(&mut log, SHELF), CopyState::default());
    // A chat that was deleted for good is still to be told to the directory.
    log.delete(CHAT, 9).unwrap();
    log.purge(CHAT, 10);
    assert_eq!(CopyState::read(&mut log, CHAT), state());
}

#[test]
fn a_record_of_an_earlier_sash_says_nothing() {
    let mut log = written();
    let former = json!({
        "version": 7, "crc": "0a1b2c3d", "digest": "abc", "seq": 9, "fields": {"title": "0a1b2c3d"},
        "purged": true, "purged_messages": [Id(101)],
    });
    let key = Key::Record(COPY_STATE, CHAT);
    log.add_imported(key, &encode_record(&former)).unwrap();
    assert_eq!(CopyState::read(&mut log, CHAT), CopyState::default());
    assert!(log.store().get("sash:b:0000000000000007").is_some());
}

#[test]
fn the_newest_deletions_are_remembered_once_the_directory_was_told() {
    let mut state = CopyState {
        to_purge: (0..3000).map(Id).collect(),
        ..state()
    };
    state.told_of_purges(&(0..3000).map(Id).collect(), true);
    assert_eq!((state.to_purge.len(), state.purges_chat), (0, false));
    assert_eq!(state.purged.len(), MAX_PURGED);
    assert_eq!(state.purged.last(), Some(&Id(2999)));
}
