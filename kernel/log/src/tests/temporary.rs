//! Temporary chats: nothing of them reaches the store.

use super::stores::FailingStore;
use super::*;
use crate::{Draft, LogChange};

const MARKER: &str = "Zanzibar";

/// Writes a chat with all kinds of records, each with the marker.
fn write_everything<S: KeyValue>(log: &mut Log<S>, chat: Id) {
    let marked = |seq, role| Message {
        content: format!("{MARKER} {seq}"),
        ..message(seq, role, MARKER)
    };
    log.save_head(&Head {
        title: Some(MARKER.to_owned()),
        ..Head::new(chat, 1)
    })
    .unwrap();
    log.save_message(chat, &marked(1, Role::User)).unwrap();
    let tail = marked(2, Role::Assistant);
    log.begin_tail(chat, &tail, None).unwrap();
    log.append_tail(chat, tail.id, 1, MARKER).unwrap();
    log.save_message(chat, &tail).unwrap();
    log.save_message(chat, &marked(3, Role::User)).unwrap();
    log.remove_message(chat, &marked(3, Role::User), 7).unwrap();
    log.save_draft(chat, MARKER, 8).unwrap();
}

fn stored(log: &Log<MemoryStore>) -> String {
    let store = log.store();
    let records = store.keys().into_iter().map(|key| {
        let value = store.get(&key).unwrap_or_default();
        format!("{key} {value}\n")
    });
    records.collect()
}

#[test]
fn nothing_of_a_temporary_chat_reaches_the_store_and_nothing_that_reads_all_chats_finds_it() {
    let mut log = open(written());
    let before = stored(&log);
    log.follow_changes();
    log.begin_temporary(Id(77));
    write_everything(&mut log, Id(77));
    log.write_waiting();

    assert_eq!(stored(&log), before);
    assert_eq!(log.chat_list().len(), 1);
    assert!(!log.all_chats().contains(&Id(77)));
    assert!(!log.chat_keys().contains_key(&Id(77)));
    assert_eq!(log.list_entry(Id(77)), None);
    assert_eq!(log.draft_only_chats(), []);
    assert_eq!(log.deleted(), []);
    assert!(log.chats_with_removed().is_empty());
    assert_eq!(log.take_changes(), []);
    // The chat itself is read as any other.
    assert_eq!(log.load(Id(77)).unwrap().len(), 3);
    assert_eq!(log.draft(Id(77)).text, MARKER);
    log.save_draft(Id(77), "", 9).unwrap();
    assert!(log.draft(Id(77)).is_blank());
}

#[test]
fn a_forgotten_chat_is_gone_and_what_is_written_of_it_later_goes_nowhere() {
    let mut log = open(written());
    let before = stored(&log);
    log.begin_temporary(Id(77));
    write_everything(&mut log, Id(77));
    log.forget_temporary(Id(77));
    assert!(log.is_gone(Id(77)) && log.load(Id(77)).is_none());
    write_everything(&mut log, Id(77));
    assert!(log.load(Id(77)).is_none() && log.draft(Id(77)).is_blank());
    assert_eq!(stored(&log), before);
    assert!(!log.may_store(Id(77)) && !log.is_temporary(Id(77)));
}

#[test]
fn a_kept_chat_is_one_like_all_others() {
    let mut log = open(written());
    log.follow_changes();
    log.begin_temporary(Id(77));
    write_everything(&mut log, Id(77));
    let before = log.load(Id(77)).unwrap();
    log.keep_temporary(Id(77)).unwrap();
    assert!(log.may_store(Id(77)));
    assert!(
        log.take_changes()
            .contains(&LogChange::Key(Key::Head(Id(77)), true))
    );
    let mut reopened = open(log.store().clone());
    assert_eq!(reopened.load(Id(77)), Some(before));
    assert_eq!(reopened.draft(Id(77)), Draft::from(MARKER));
    assert_eq!(reopened.chat_list().len(), 2);
}

#[test]
fn a_chat_that_finds_no_room_stays_temporary_and_leaves_nothing_behind() {
    let mut log = open(FailingStore::default());
    log.begin_temporary(Id(77));
    write_everything(&mut log, Id(77));
    let before = log.store().keys();
    log.store.fails_at = Some(log.store.writes + 4);
    assert_eq!(log.keep_temporary(Id(77)), Err(StoreError::Full));
    assert_eq!(log.store().keys(), before);
    assert!(log.is_temporary(Id(77)));
    assert_eq!(log.load(Id(77)).unwrap().len(), 3);
    log.store.fails_at = None;
    log.keep_temporary(Id(77)).unwrap();
    assert_eq!(log.chat_list().len(), 1);
}
