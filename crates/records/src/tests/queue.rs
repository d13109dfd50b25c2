//! The queue of a chat.

use super::*;
use crate::queue::{QUEUE, QUEUES, QueueLog, QueuedPrompt};
use sash_chat::{FoundMessage, RecalledPiece};
use serde_json::json;

fn texts<S: KeyValue>(log: &mut Log<S>, chat: Id) -> Vec<String> {
    let queue = log.queue(chat).into_iter();
    queue.map(|prompt| prompt.text).collect()
}

fn add<S: KeyValue>(log: &mut Log<S>, id: u64, text: &str) {
    let prompt = QueuedPrompt::new(Id(id), text);
    log.change_queue(CHAT, 5, |queue| queue.push(prompt))
        .unwrap();
}

#[test]
fn a_queue_is_there_after_a_reload_and_has_no_record_when_it_is_empty() {
    let mut log = open(written());
    add(&mut log, 1, "One");
    add(&mut log, 2, "Two");
    let mut log = open(log.store().clone());
    assert_eq!(texts(&mut log, CHAT), ["One", "Two"]);
    let key = Key::Record(QUEUE, CHAT).to_string();
    log.change_queue(CHAT, 6, Vec::clear).unwrap();
    assert_eq!(log.store().get(&key), None);
    assert!(texts(&mut log, CHAT).is_empty());
}

#[test]
fn what_a_later_version_wrote_stays_and_what_is_wrong_costs_its_field() {
    let mut store = written();
    let payload = json!({
        "at": 9, "mood": "good",
        "prompts": [
            {"id": Id(1), "text": "One", "images": 7, "left_out": ["no id"], "tone": 3},
            {"id": "no id", "text": "Lost"},
        ],
    });
    let record = encode_record(&payload);
    store
        .set(&Key::Record(QUEUE, CHAT).to_string(), &record)
        .unwrap();
    let mut log = open(store);
    assert_eq!(texts(&mut log, CHAT), ["One"]);
    add(&mut log, 2, "Two");
    let record = QUEUES.read(&mut log, CHAT).unwrap();
    assert_eq!(record.content.unknown.get("mood"), Some(&json!("good")));
    assert_eq!(
        record.content.prompts[0].unknown.get("tone"),
        Some(&json!(3))
    );
    assert_eq!(
        (record.at, record.rev),
        (5, 1),
        "newer than before, whatever the clock says"
    );
    assert_eq!(log.unreadable(), 0);
}

#[test]
fn a_queue_goes_to_the_trash_with_its_chat_and_comes_back_with_it_and_is_purged() {
    let mut log = open(written());
    add(&mut log, 1, "One");
    log.delete(CHAT, 10).unwrap();
    assert!(log.restore(CHAT));
    assert_eq!(texts(&mut log, CHAT), ["One"]);
    log.delete(CHAT, 11).unwrap();
    log.purge(CHAT, 12);
    assert!(texts(&mut log, CHAT).is_empty());
    let late = QueuedPrompt::new(Id(2), "Late");
    log.change_queue(CHAT, 13, |queue| queue.push(late))
        .unwrap();
    assert!(texts(&mut log, CHAT).is_empty());
}

#[test]
fn the_later_of_two_queues_is_replayed() {
    let mut log = open(written());
    add(&mut log, 1, "One");
    let before = log.store().clone();
    add(&mut log, 2, "Two");
    let key = Key::Record(QUEUE, CHAT).to_string();
    let entry = |record: Option<String>| JournalEntry {
        key: key.clone(),
        record,
        at: 100,
        rev: None,
    };
    let later = log.store().get(&key);
    let mut lost = before.clone();
    replay(&mut lost, &[entry(later.clone())], 101, false, KINDS);
    assert_eq!(texts(&mut open(lost), CHAT), ["One", "Two"]);
    // A journal that is behind changes nothing, and a queue that ended stays away.
    let mut ahead = log.store().clone();
    replay(&mut ahead, &[entry(before.get(&key))], 101, false, KINDS);
    assert_eq!(ahead.get(&key), later);
    replay(&mut ahead, &[entry(None)], 101, false, KINDS);
    assert_eq!(ahead.get(&key), None);
}

#[test]
fn a_queue_that_found_no_room_gives_way_to_a_later_one_of_another_tab_alone() {
    let mut other = open(written());
    add(&mut other, 1, "One");
    let mut store = SharedStore::of(other.store().clone());
    let mut log = open(store.clone());
    store.is_full.set(true);
    let mine = QueuedPrompt::new(Id(2), "Mine");
    let full = log.change_queue(CHAT, 50, |queue| queue.push(mine));
    assert_eq!(full, Err(StoreError::Full));
    assert_eq!(texts(&mut log, CHAT), ["One", "Mine"]);
    let key = Key::Record(QUEUE, CHAT).to_string();
    log.on_storage_event(&key, false);
    assert_eq!(texts(&mut log, CHAT), ["One", "Mine"]);
    let theirs = QueuedPrompt::new(Id(3), "Theirs");
    other
        .change_queue(CHAT, 90, |queue| queue.push(theirs))
        .unwrap();
    store.is_full.set(false);
    let record = other.store().get(&key).unwrap();
    store.set(&key, &record).unwrap();
    log.on_storage_event(&key, true);
    assert_eq!(texts(&mut log, CHAT), ["One", "Theirs"]);
}

#[test]
fn a_queue_of_a_temporary_chat_is_in_memory_until_the_chat_is_kept() {
    let mut log = open(MemoryStore::default());
    log.begin_temporary(CHAT);
    add(&mut log, 1, "One");
    assert_eq!(texts(&mut log, CHAT), ["One"]);
    let key = Key::Record(QUEUE, CHAT).to_string();
    assert_eq!(log.store().get(&key), None);
    log.keep_temporary(CHAT).unwrap();
    assert!(log.store().get(&key).is_some());
    log.change_queue(CHAT, 9, Vec::clear).unwrap();
    assert_eq!(log.store().get(&key), None);
}

#[test]
fn what_was_found_for_a_prompt_is_read_back_and_older_records_have_nothing() {
    let old =
        r#"{"id":"0000000000000001","text":"One","included":[{"message":"0000000000000002"}]}"#;
    let mut prompt: QueuedPrompt = serde_json::from_str(old).unwrap();
    assert_eq!(prompt.choice.found, None);
    assert_eq!(serde_json::to_string(&prompt).unwrap(), old);
    let found = FoundMessage {
        piece: RecalledPiece {
            message: Id(3),
            chat: Some(Id(4)),
            excerpt: true,
        },
        words: vec!["tides".to_owned()],
    };
    prompt.choice.included.push(found.clone());
    prompt.choice.found = Some(vec![found]);
    let text = serde_json::to_string(&prompt).unwrap();
    assert_eq!(serde_json::from_str::<QueuedPrompt>(&text).unwrap(), prompt);
    let known = prompt.choice.known();
    let all: Vec<Id> = known.map(|found| found.piece.message).collect();
    assert_eq!(all, [Id(2), Id(3), Id(3)]);
    // What cannot be read is left out, and the rest is not.
    let odd = text.replace(r#""words":["tides"]"#, r#""words":7"#);
    let odd: QueuedPrompt = serde_json::from_str(&odd).unwrap();
    assert_eq!((&*odd.text, odd.choice.known().count()), ("One", 1));
}

/// The clock was set back between the writing of a queue and its end, which once brought back prompts that were sent.
#[test]
fn a_queue_that_ended_stays_away_and_gives_way_to_the_next_one_whatever_the_clock_says() {
    let journal = MemoryJournal::default();
    let store = SharedStore::of(written());
    let mut log = open(Journaled::new(store.clone(), journal.clone(), KINDS));
    let add = |log: &mut Log<_>, id: u64, at: u64| {
        let prompt = QueuedPrompt::new(Id(id), format!("No. {id}"));
        log.change_queue(CHAT, at, |queue| queue.push(prompt))
            .unwrap();
    };
    add(&mut log, 1, 5000);
    add(&mut log, 2, 6000);
    let mut disk = store.copy_now();
    log.change_queue(CHAT, 20, Vec::clear).unwrap();
    let mut sent = disk.clone();
    replay(&mut sent, &journal.0.borrow(), 30, false, KINDS);
    assert!(texts(&mut open(sent), CHAT).is_empty());
    add(&mut log, 3, 40);
    let mut next = disk.clone();
    replay(&mut next, &journal.0.borrow(), 50, false, KINDS);
    assert_eq!(texts(&mut open(next), CHAT), ["No. 3"]);

    // The same where the page was loaded anew in between: the journal says how far the former queue had come.
    log.change_queue(CHAT, 60, Vec::clear).unwrap();
    let mut store = SharedStore::of(store.copy_now());
    let replayed = replay(&mut store, &journal.0.borrow(), 70, false, KINDS);
    let mut log = open(Journaled::new(store, journal.clone(), KINDS));
    for (key, rev) in replayed.removed {
        log.note_removed(key, rev);
    }
    add(&mut log, 4, 80);
    replay(&mut disk, &journal.0.borrow(), 90, false, KINDS);
    assert_eq!(texts(&mut open(disk), CHAT), ["No. 4"]);
}

/// Entries and records of earlier versions have no revision.
#[test]
fn an_older_queue_and_an_older_entry_of_the_journal_are_told_apart_by_their_times() {
    let key = Key::Record(QUEUE, CHAT).to_string();
    let record = |at: u64, text: &str| {
        let prompts = json!([{"id": Id(1), "text": text}]);
        encode_record(&json!({"at": at, "prompts": prompts}))
    };
    let entry = |record: Option<String>, at: u64| JournalEntry {
        key: key.clone(),
        record,
        at,
        rev: None,
    };
    for (entry, left) in [
        (entry(None, 8), Some("There")),
        (entry(None, 9), None),
        (entry(Some(record(8, "Noted")), 20), Some("There")),
        (entry(Some(record(10, "Noted")), 20), Some("Noted")),
    ] {
        let mut store = written();
        store.set(&key, &record(9, "There")).unwrap();
        replay(&mut store, &[entry], 30, false, KINDS);
        let left: Vec<&str> = left.into_iter().collect();
        assert_eq!(texts(&mut open(store), CHAT), left);
    }
}
