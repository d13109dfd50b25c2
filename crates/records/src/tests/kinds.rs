//! Records of a kind that this version does not know.

use super::*;
use crate::queue::{QUEUE, QueueLog, QueuedPrompt};
use sash_log::Kinds;

const KEY: &str = "sash:w:000000000000000a";

/// A later version of Sash gave chats something that this one does not know.
#[test]
fn a_record_of_an_unknown_kind_stays_whatever_becomes_of_its_chat() {
    let mut store = written();
    let record = encode_record(&serde_json::json!({"at": 9, "rev": 3}));
    store.set(KEY, &record).unwrap();
    let journal = MemoryJournal::default();
    let mut log = open(Journaled::new(store, journal.clone(), KINDS));
    assert_eq!(log.key(KEY), None);
    assert_eq!(log.on_storage_event(KEY, true), None);
    assert!(log.records_of(CHAT).next().is_none(), "no file has it");
    assert_eq!((log.unreadable(), log.chat_list().len()), (0, 1));
    log.delete(CHAT, 10).unwrap();
    log.purge(CHAT, 11);
    log.clean_up_purged(u64::MAX);
    assert_eq!(log.store().get(KEY), Some(record), "nor is it removed");
    assert!(journal.0.borrow().iter().all(|entry| entry.key != KEY));
}

/// Each kind is the business of who gives it to the log: without it the log leaves its records alone.
#[test]
fn a_log_without_a_kind_leaves_its_records_alone() {
    let mut log = open(written());
    let prompt = QueuedPrompt::new(Id(3), "One");
    log.change_queue(CHAT, 5, |queue| queue.push(prompt))
        .unwrap();
    let key = Key::Record(QUEUE, CHAT).to_string();
    let store = log.store().clone();
    let Ok(mut without) = Log::open(store, Id(1), Kinds::default()) else {
        panic!("the log is ours");
    };
    without.delete(CHAT, 10).unwrap();
    without.purge(CHAT, 11);
    let mut log = open(without.store().clone());
    assert!(log.store().get(&key).is_some());
    assert_eq!(log.queue(CHAT).len(), 1);
    log.clean_up_purged(12);
    assert_eq!(
        log.store().get(&key),
        None,
        "who knows it removes it with its chat"
    );
}

/// Two kinds of one letter would read each other's records.
#[test]
fn each_kind_has_a_letter_of_its_own() {
    let mut letters: Vec<&str> = KINDS.all().map(|kind| kind.letter).collect();
    letters.extend(["c", "m", "t", "x", "s", "in", "stop", "bad"]);
    let all = letters.len();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), all);
}
