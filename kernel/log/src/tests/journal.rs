//! The effect of a replay on each kind of entry.

use super::*;
use sash_chat::Chat;
use std::cell::RefCell;
use std::rc::Rc;

/// A journal in memory.
#[derive(Clone, Default)]
pub struct MemoryJournal(pub Rc<RefCell<Vec<JournalEntry>>>);

impl Journal for MemoryJournal {
    fn record(&mut self, key: &str, record: &str) {
        self.forget(key);
        self.0.borrow_mut().push(JournalEntry {
            key: key.to_owned(),
            record: Some(record.to_owned()),
            at: 10,
            rev: None,
        });
    }

    fn record_removal(&mut self, key: &str, rev: Option<u64>) {
        self.forget(key);
        self.0.borrow_mut().push(JournalEntry {
            key: key.to_owned(),
            record: None,
            at: 10,
            rev,
        });
    }

    fn forget(&mut self, key: &str) {
        self.0.borrow_mut().retain(|entry| entry.key != key);
    }
}

fn entry(key: &str, record: Option<String>) -> JournalEntry {
    JournalEntry {
        key: key.to_owned(),
        record,
        at: 1,
        rev: None,
    }
}

const HOUR: u64 = 60 * 60 * 1000;

#[test]
fn what_is_missing_is_brought_back_and_what_is_there_stays() {
    let full = written();
    let entries: Vec<JournalEntry> = full.keys().iter().map(|k| entry(k, full.get(k))).collect();
    for missing in full.keys() {
        let mut store = full.clone();
        store.remove(&missing);
        let replayed = replay(&mut store, &entries, 2, false, KINDS);
        assert_eq!(replayed.restored, 1, "{missing}");
        assert_eq!(store.get(&missing), full.get(&missing));
        let again = replay(&mut store, &entries, 2, false, KINDS);
        assert_eq!(again, Replayed::default());
    }
    let mut empty = MemoryStore::default();
    replay(&mut empty, &entries, 2, false, KINDS);
    assert_eq!(open(empty).load(CHAT), open(full).load(CHAT));
}

#[test]
fn an_entry_is_dropped_a_day_after_the_log_has_it() {
    let mut store = written();
    let key = Key::Head(CHAT).to_string();
    let entries = [
        entry(&key, store.get(&key)),
        entry("sash:meta", store.get("sash:meta")),
        entry("sash:x:00000000000000ff", None),
    ];
    assert!(
        replay(&mut store, &entries, 24 * HOUR, false, KINDS)
            .done
            .is_empty()
    );
    let done = replay(&mut store, &entries, 24 * HOUR + 2, false, KINDS).done;
    assert_eq!(done, [key, "sash:x:00000000000000ff".to_owned()]);
}

#[test]
fn a_head_gives_way_to_a_later_one_only() {
    let key = Key::Head(CHAT).to_string();
    let head = |rev: u32, title: &str| {
        let mut head = Head::new(CHAT, 5);
        (head.rev, head.title) = (rev, Some(title.into()));
        encode_record(&head)
    };
    for (there, noted, expected) in [(1, 2, "noted"), (2, 2, "there"), (3, 2, "there")] {
        let mut store = written();
        store.set(&key, &head(there, "there")).unwrap();
        replay(
            &mut store,
            &[entry(&key, Some(head(noted, "noted")))],
            2,
            false,
            KINDS,
        );
        assert_eq!(open(store).chat_list()[0].title, expected);
    }
}

#[test]
fn a_damaged_record_is_healed_and_a_damaged_entry_heals_nothing() {
    let key = Key::Message(CHAT, 2, Id(2)).to_string();
    let good = written().get(&key).unwrap();
    let bad = good.replace("answer", "ANSWER");
    let mut store = written();
    store.set(&key, &bad).unwrap();
    replay(
        &mut store,
        &[entry(&key, Some(good.clone()))],
        2,
        false,
        KINDS,
    );
    assert_eq!(store.get(&key), Some(good.clone()));
    assert_eq!(store.get(&format!("sash:bad:{key}")), Some(bad.clone()));
    replay(&mut store, &[entry(&key, Some(bad))], 2, false, KINDS);
    assert_eq!(store.get(&key), Some(good));
}

#[test]
fn what_was_taken_back_is_taken_back_again() {
    let journal = MemoryJournal::default();
    let mut log = open(Journaled::new(written(), journal.clone(), KINDS));
    log.delete(CHAT, 9).unwrap();
    // The disk holds the deletion, which was undone later.
    let mut disk = written();
    let tombstone = Key::Tombstone(CHAT).to_string();
    disk.set(&tombstone, &log.store().get(&tombstone).unwrap())
        .unwrap();
    log.restore(CHAT);
    replay(&mut disk, &journal.0.borrow(), 2, false, KINDS);
    assert_eq!(open(disk).chat_list().len(), 1);
}

/// A tombstone of a later hour than the removal's: the clock was set back, or an import took back what another machine deleted.
#[test]
fn what_was_taken_back_is_taken_back_again_whatever_the_clock_says() {
    let journal = MemoryJournal::default();
    let mut log = open(Journaled::new(written(), journal.clone(), KINDS));
    let answer = message(2, Role::Assistant, "answer");
    log.remove_message(CHAT, &answer, 5000).unwrap();
    log.delete(CHAT, 6000).unwrap();
    let mut disk = log.store().store.clone();
    log.restore(CHAT);
    log.restore_message(CHAT, Id(2));
    replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
    let mut log = open(disk);
    assert_eq!(log.chat_list().len(), 1);
    assert!(!log.is_removed(CHAT, Id(2)));
}

/// The disk may get what was written of a chat and not its end.
#[test]
fn a_whole_chat_without_room_is_taken_back_after_a_kill_too() {
    let mut added = Chat::new(Head::new(Id(2), 9));
    for seq in 1..=2 {
        added.insert(message(seq, Role::User, "a question"));
    }
    for room in 1..=added.len() {
        let journal = MemoryJournal::default();
        let full = FailingStore {
            inner: written(),
            fails_at: Some(room + 1),
            ..Default::default()
        };
        let mut log = open(Journaled::new(full, journal.clone(), KINDS));
        assert_eq!(log.add_chat(&added), Err(StoreError::Full));
        let mut disk = written();
        for message in added.messages().take(room) {
            let key = Key::Message(added.head.id, message.seq, message.id);
            disk.set(&key.to_string(), &encode_record(message)).unwrap();
        }
        replay(&mut disk, &journal.0.borrow(), 30, false, KINDS);
        assert_eq!(open(disk).all_chats(), [CHAT], "{room}");
    }
}

#[test]
fn a_log_that_someone_cleared_comes_back_only_when_asked_for() {
    let full = written();
    let mut entries: Vec<JournalEntry> =
        full.keys().iter().map(|k| entry(k, full.get(k))).collect();
    entries
        .iter_mut()
        .filter(|e| e.key != "sash:meta")
        .for_each(|e| e.at = HOUR);
    let mut store = MemoryStore::default();
    let replayed = replay(&mut store, &entries, 2 * HOUR, false, KINDS);
    assert!(replayed.cleared);
    assert_eq!(store.keys(), ["sash:meta"]);
    // Regression: the next start finds a new log and the person has not answered yet; it must ask again.
    let mut store = open(store).store().clone();
    assert!(replay(&mut store, &entries, 2 * HOUR, false, KINDS).cleared);
    let forced = replay(&mut store, &entries, 2 * HOUR, true, KINDS);
    assert_eq!(
        (forced.cleared, forced.restored),
        (false, full.keys().len() - 1)
    );
}

#[test]
fn what_a_tab_wrote_since_is_not_taken_back() {
    // Restored at time 1; deleted again at time 9 by an open tab.
    let key = Key::Tombstone(CHAT).to_string();
    let mut log = open(written());
    log.delete(CHAT, 9).unwrap();
    let mut store = log.store().clone();
    replay(&mut store, &[entry(&key, None)], 10, false, KINDS);
    assert!(store.get(&key).is_some());
}

#[test]
fn settings_give_way_to_later_ones_only() {
    let settings = |rev: u32| encode_record(&serde_json::json!({"rev": rev}));
    for (there, noted, expected) in [(1, 2, 2), (2, 1, 2)] {
        let mut store = written();
        store.set("sash:set", &settings(there)).unwrap();
        replay(
            &mut store,
            &[entry("sash:set", Some(settings(noted)))],
            2,
            false,
            KINDS,
        );
        assert_eq!(store.get("sash:set"), Some(settings(expected)));
    }
}

#[test]
fn what_found_no_room_is_in_the_journal_and_waits_after_a_replay() {
    let journal = MemoryJournal::default();
    let full = FailingStore {
        inner: written(),
        fails_at: Some(0),
        ..Default::default()
    };
    let mut log = open(Journaled::new(full, journal.clone(), KINDS));
    let saved = log.save_message(CHAT, &message(3, Role::User, "no room"));
    assert_eq!(saved, Err(StoreError::Full));
    let mut full = FailingStore {
        inner: written(),
        fails_at: Some(0),
        ..Default::default()
    };
    let replayed = replay(&mut full, &journal.0.borrow(), 2, false, KINDS);
    let mut log = open(full);
    for (key, record) in replayed.no_room {
        log.wait_for_room(key, record);
    }
    assert_eq!(log.load(CHAT).unwrap().len(), 3);
    assert_eq!(log.waiting(), 1);
}

#[test]
fn the_reserve_is_not_noted_and_what_is_not_ours_is_dropped() {
    let journal = MemoryJournal::default();
    let mut store = Journaled::new(MemoryStore::default(), journal.clone(), KINDS);
    for key in ["sash:z", "theirs"] {
        store.set(key, "x").unwrap();
        store.remove(key);
    }
    assert!(journal.0.borrow().is_empty());
    let done = replay(
        &mut MemoryStore::default(),
        &[entry("theirs", None)],
        2,
        false,
        KINDS,
    )
    .done;
    assert_eq!(done, ["theirs"]);
}

/// Contents of the store and the journal, and the expected result of a replay.
/// `end2end/tests/export-page.spec.ts` checks the page without a program with the same cases.
const CASES: &str = include_str!("../../tests/data/journal.json");

#[test]
fn store_and_journal_come_together_as_the_page_without_a_program_has_them() {
    let cases = serde_json::from_str::<serde_json::Value>(CASES).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() > 20);
    let records = |of: &serde_json::Value| -> Vec<(String, String)> {
        let of = of.as_object().unwrap().iter();
        let mut all: Vec<_> = of
            .map(|(key, record)| (key.clone(), record.as_str().unwrap().to_owned()))
            .collect();
        all.sort();
        all
    };
    for case in cases {
        let mut store = MemoryStore::default();
        for (key, record) in records(&case["store"]) {
            store.set(&key, &record).unwrap();
        }
        let entries: Vec<JournalEntry> = case["journal"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| JournalEntry {
                key: entry[0].as_str().unwrap().to_owned(),
                record: entry[1].as_str().map(str::to_owned),
                at: entry[2].as_u64().unwrap(),
                rev: entry[3].as_u64(),
            })
            .collect();
        for round in 0..2 {
            // Saving a file includes what was cleared.
            replay(&mut store, &entries, 100, true, KINDS);
            let keys = store.keys().into_iter();
            let mut left: Vec<_> = keys
                .map(|key| (key.clone(), store.get(&key).unwrap()))
                .collect();
            left.sort();
            assert_eq!(
                left,
                records(&case["expected"]),
                "{}, {round}",
                case["name"]
            );
        }
    }
}
