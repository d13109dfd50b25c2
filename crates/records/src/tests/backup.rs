//! Memory of the backup of a chat.

use super::*;
use crate::backup::{BackupLog, MergeBase};

/// The base says that the chat was deleted for good: with an older one a folder would bring it back.
#[test]
fn a_merge_base_is_as_it_was_noted_last() {
    let base = |version: u64, purged: bool| MergeBase {
        version,
        purged,
        ..MergeBase::default()
    };
    let journal = MemoryJournal::default();
    let store = SharedStore::of(written());
    let mut log = open(Journaled::new(store.clone(), journal.clone(), KINDS));
    log.save_merge_base(CHAT, &base(1, false)).unwrap();
    let before = store.copy_now();
    log.save_merge_base(CHAT, &base(1, true)).unwrap();
    let after = store.copy_now();
    let mut disk = before.clone();
    replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
    assert_eq!(open(disk).merge_base(CHAT), Some(base(1, true)));
    log.forget_purge(CHAT);
    for mut disk in [before, after] {
        replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
        assert_eq!(open(disk).merge_base(CHAT), None);
    }
}

/// A folder that could not be reached may have the chat still, with what was written there since.
#[test]
fn the_messages_of_a_chat_are_remembered_before_it_is_deleted_for_good_and_at_no_other_time() {
    let mut log = open(written());
    log.save_merge_base(CHAT, &MergeBase::default()).unwrap();
    log.remember_purge(CHAT);
    assert_eq!(
        log.merge_base(CHAT),
        Some(MergeBase::default()),
        "it is not in the trash"
    );
    log.delete(CHAT, 10).unwrap();
    log.remember_purge(CHAT);
    log.purge(CHAT, 11);
    let base = log.merge_base(CHAT).unwrap();
    assert_eq!(
        (base.purged, base.seq, base.purged_messages),
        (true, 1, vec![Id(1)])
    );
}
