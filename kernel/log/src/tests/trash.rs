//! Deleting and restoring.

use super::*;

const DAY: u64 = 24 * 60 * 60 * 1000;

#[test]
fn a_deleted_chat_comes_back_whole_and_a_purged_one_leaves_nothing() {
    let mut log = open(written());
    log.delete(CHAT, 9).unwrap();
    assert!(log.chat_list().is_empty());
    assert_eq!(log.deleted().len(), 1);
    log.restore(CHAT);
    assert_eq!(log.load(CHAT).unwrap().len(), 2);
    log.purge(CHAT, 10);
    assert_eq!(
        log.chat_list().len(),
        1,
        "only a deleted chat can be purged"
    );
    log.delete(CHAT, 9).unwrap();
    log.purge(CHAT, 10);
    assert!(log.chat_list().is_empty() && log.deleted().is_empty());
    let tombstone = Key::Tombstone(CHAT).to_string();
    assert_eq!(log.store().keys(), ["sash:meta".to_owned(), tombstone]);
    let mut later = open(log.store().clone());
    later.clean_up_purged(11 + DAY);
    assert_eq!(later.store().keys(), ["sash:meta"]);
}

#[test]
fn what_another_tab_writes_into_an_emptied_chat_stays_deleted() {
    let mut log = open(written());
    // The other tab has not received the deletion.
    let mut other = open(log.store().clone());
    log.delete(CHAT, 9).unwrap();
    log.purge(CHAT, 10);
    other
        .save_message(CHAT, &message(3, Role::User, "late"))
        .unwrap();
    let mut store = log.store().clone();
    let key = Key::Message(CHAT, 3, Id(3)).to_string();
    store.set(&key, &other.store().get(&key).unwrap()).unwrap();
    let mut log = open(store);
    assert!(log.chat_list().is_empty() && log.deleted().is_empty());
    log.clean_up_purged(11);
    assert_eq!(log.store().get(&key), None);
}

#[test]
fn a_deleted_message_comes_back_and_a_purged_one_keeps_its_place_alone() {
    let mut log = open(written());
    log.save_message(CHAT, &message(3, Role::User, "more"))
        .unwrap();
    let answer = message(2, Role::Assistant, "answer");
    log.remove_message(CHAT, &answer, 9).unwrap();
    let texts = |log: &mut Log<MemoryStore>| -> Vec<String> {
        let chat = log.load(CHAT).unwrap();
        chat.path().iter().map(|m| m.content.clone()).collect()
    };
    assert_eq!(texts(&mut log), ["first question", "more"]);
    let (removed, _) = log.removed_messages(CHAT);
    assert_eq!(removed.len(), 1);
    assert_eq!((removed[0].chat, removed[0].at), (CHAT, 9));
    assert_eq!(removed[0].message, answer);
    assert_eq!(log.chats_with_removed(), [CHAT]);
    assert!(log.can_restore_message(CHAT, Id(2)));
    assert!(!log.can_restore_message(CHAT, Id(1)));

    log.restore_message(CHAT, Id(2));
    assert_eq!(texts(&mut log), ["first question", "answer", "more"]);
    log.remove_message(CHAT, &answer, 9).unwrap();
    log.purge_messages(CHAT, &[Id(2)], 10).unwrap();
    let mut log = open(log.store().clone());
    assert_eq!(texts(&mut log), ["first question", "more"]);
    assert!(log.removed_messages(CHAT).0.is_empty());
    assert!(!log.can_restore_message(CHAT, Id(2)));
    let chat = log.load(CHAT).unwrap();
    // The descendants keep their parent and their branch.
    assert_eq!(chat.get(Id(3)).unwrap().parent, Some(Id(2)));
    assert_eq!(chat.get(Id(2)).unwrap().content, "");
    assert!(log.store().keys().iter().all(|k| !k.contains("000002-")));
}

#[test]
fn a_message_under_a_purged_tombstone_is_taken_away() {
    let mut log = open(written());
    let answer = message(2, Role::Assistant, "answer");
    let key = Key::Message(CHAT, 2, Id(2)).to_string();
    let record = log.store().get(&key).unwrap();
    log.remove_message(CHAT, &answer, 9).unwrap();
    log.purge_messages(CHAT, &[Id(2)], 10).unwrap();
    let mut store = log.store().clone();
    store.set(&key, &record).unwrap();
    let mut log = open(store);
    assert_eq!(log.load(CHAT).unwrap().path().len(), 1);
    assert_eq!(log.store().get(&key), None);
}

#[test]
fn an_interrupted_answer_can_be_deleted_and_brought_back() {
    let mut log = open(written());
    let tail = message(3, Role::Assistant, "");
    log.begin_tail(CHAT, &tail, None).unwrap();
    log.append_tail(CHAT, Id(3), 1, "half").unwrap();
    log.remove_message(CHAT, &tail, 9).unwrap();
    assert_eq!(log.load(CHAT).unwrap().path().len(), 2);
    assert_eq!(log.removed_messages(CHAT).0[0].message.content, "half");
    log.restore_message(CHAT, Id(3));
    assert_eq!(log.load(CHAT).unwrap().path().len(), 3);
    log.remove_message(CHAT, &tail, 9).unwrap();
    log.purge_messages(CHAT, &[Id(3)], 10).unwrap();
    assert!(log.store().keys().iter().all(|k| !k.starts_with("sash:t:")));
}
