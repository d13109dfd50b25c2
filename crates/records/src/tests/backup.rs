//! What is remembered of a copy in the backup.

use super::*;
use crate::backup::COPY_STATE;
use serde_json::{Value, json};

/// With a former record a browser would tell the directory once more what it told already, or merge a copy a second time.
#[test]
fn what_is_remembered_of_a_copy_is_as_it_was_noted_last() {
    let key = Key::Record(COPY_STATE, CHAT);
    let state = |write: u64| json!({ "write": write });
    let journal = MemoryJournal::default();
    let store = SharedStore::of(written());
    let mut log = open(Journaled::new(store.clone(), journal.clone(), KINDS));
    log.add_imported(key, &encode_record(&state(1))).unwrap();
    let before = store.copy_now();
    log.add_imported(key, &encode_record(&state(2))).unwrap();
    let after = store.copy_now();
    let mut disk = before.clone();
    replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
    assert_eq!(open(disk).read::<Value>(key), Some(state(2)));
    log.remove(key);
    for mut disk in [before, after] {
        replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
        assert_eq!(open(disk).read::<Value>(key), None);
    }
}
