//! The guarantees of the log, over a store in memory and one that fails on demand.

mod draft;
mod folder;
mod form;
mod journal;
mod kept;
mod killed;
mod stores;
mod tabs;
mod temporary;
mod trash;

use super::kind::samples::KINDS;
use super::*;
use sash_chat::{Head, Id, Message, Outcome, Role};
use stores::{FailingStore, Utf16Store};

const CHAT: Id = Id(10);

fn message(seq: u32, role: Role, content: &str) -> Message {
    let parent = (seq > 1).then(|| Id(u64::from(seq) - 1));
    Message {
        content: content.into(),
        ..Message::new(Id(u64::from(seq)), parent, seq, role, u64::from(seq) * 1000)
    }
}

/// A piece of thinking, and text after it.
fn thought(content: &str, thinking: &str) -> TailParts {
    TailParts {
        content: content.to_owned(),
        thinking: thinking.to_owned(),
        ..TailParts::default()
    }
}

fn open<S: KeyValue>(store: S) -> Log<S> {
    Log::open(store, Id(1), KINDS)
        .map_err(|(_, error)| error)
        .unwrap()
}

fn written() -> MemoryStore {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    log.save_message(CHAT, &message(1, Role::User, "first question"))
        .unwrap();
    log.save_message(CHAT, &message(2, Role::Assistant, "answer"))
        .unwrap();
    log.store().clone()
}

#[test]
fn a_chat_is_read_as_it_was_written() {
    let mut log = open(written());
    let chat = log.load(CHAT).unwrap();
    let texts: Vec<&str> = chat.path().iter().map(|m| m.content.as_str()).collect();
    assert_eq!(texts, ["first question", "answer"]);
    assert_eq!(
        log.chat_list(),
        [ChatListEntry {
            id: CHAT,
            title: "first question".into(),
            touched: 2000,
            pinned: None,
            archived: false,
            folder: None,
        }]
    );
}

#[test]
fn an_answer_that_never_ended_is_there_as_interrupted_and_the_final_record_replaces_it() {
    let mut log = open(written());
    log.save_message(CHAT, &message(3, Role::User, "more"))
        .unwrap();
    log.begin_tail(CHAT, &message(4, Role::Assistant, ""), None)
        .unwrap();
    for (n, piece) in (1..).zip(["Hel", "lo ", "wor"]) {
        log.append_tail(CHAT, Id(4), n, piece).unwrap();
    }
    // Twelve pieces: they must be ordered by number, not alphabetically.
    for n in 4..=12 {
        log.append_tail(CHAT, Id(4), n, thought(&n.to_string(), "t"))
            .unwrap();
    }
    // A piece without thinking is the bare text: with slow answers, most of a piece used to be the JSON
    // around it.
    let first = log.store().get(&Key::Tail(CHAT, Id(4), 1).to_string());
    assert!(first.unwrap().ends_with("|\"Hel\""));
    let mut reopened = open(log.store().clone());
    let chat = reopened.load(CHAT).unwrap();
    let last = chat.path().last().copied().unwrap().clone();
    assert_eq!(last.content, "Hello wor456789101112");
    assert_eq!(last.thinking, "ttttttttt");
    assert_eq!(last.outcome, Outcome::Interrupted);
    assert_eq!(last.parent, Some(Id(3)));

    log.save_message(CHAT, &message(4, Role::Assistant, "Hello world"))
        .unwrap();
    assert!(
        log.store()
            .keys()
            .iter()
            .all(|key| !key.starts_with("sash:t:"))
    );
    let chat = log.load(CHAT).unwrap();
    assert_eq!(chat.get(Id(4)).unwrap().outcome, Outcome::Complete);
}

#[test]
fn a_damaged_piece_of_an_answer_hides_no_other_piece_and_is_told() {
    for damaged in 0..=3 {
        let mut log = open(written());
        log.begin_tail(CHAT, &message(3, Role::Assistant, ""), None)
            .unwrap();
        for (n, piece) in (1..).zip(["one ", "two ", "three"]) {
            log.append_tail(CHAT, Id(3), n, piece).unwrap();
        }
        let mut store = log.store().clone();
        let key = Key::Tail(CHAT, Id(3), damaged).to_string();
        store.set(&key, "1|00000000|{}").unwrap();
        let mut log = open(store);
        let chat = log.load(CHAT).unwrap();
        let last = chat.path().last().copied().unwrap();
        assert_eq!((last.id, &last.outcome), (Id(3), &Outcome::Interrupted));
        // Regression: without its first piece the answer had no parent and hid the whole chat.
        assert_eq!(chat.path().len(), 3, "{damaged}");
        for (n, piece) in (1..).zip(["one", "two", "three"]) {
            assert_eq!(last.content.contains(piece), n != damaged, "{damaged}");
        }
        // A missing last piece cannot be detected; an unreadable one is moved aside like the others.
        let told = last.content.contains("could not be read");
        assert_eq!(told, damaged == 1 || damaged == 2);
        assert_eq!(log.unreadable(), 1);
    }
}

#[test]
fn a_tail_that_nobody_writes_any_more_becomes_a_message() {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let mut log = open(written());
    log.begin_tail(CHAT, &message(3, Role::Assistant, ""), None)
        .unwrap();
    log.append_tail(CHAT, Id(3), 1, "half").unwrap();
    log.seal_tails(CHAT, DAY);
    assert!(
        log.store()
            .get(&Key::Tail(CHAT, Id(3), 1).to_string())
            .is_some()
    );
    log.seal_tails(CHAT, DAY + 3001);
    assert!(log.store().keys().iter().all(|k| !k.starts_with("sash:t:")));
    let kept = log.load(CHAT).unwrap();
    let kept = kept.get(Id(3)).unwrap();
    assert_eq!(
        (kept.content.as_str(), &kept.outcome),
        ("half", &Outcome::Interrupted)
    );
}

#[test]
fn the_reserve_lets_an_answer_in_when_all_else_is_full() {
    let mut log = open(FailingStore {
        inner: written(),
        ..Default::default()
    });
    log.keep_reserve();
    log.store.room = Some(log.store.inner.units() + 10);
    let answer = message(3, Role::Assistant, &"word ".repeat(20_000));
    assert_eq!(log.save_head(&Head::new(Id(12), 1)), Err(StoreError::Full));
    assert_eq!(log.save_message(CHAT, &answer), Ok(()));
    assert_eq!(log.waiting(), 0, "what waited came in with it");
    let mut reopened = open(log.store.inner.clone());
    assert_eq!(reopened.load(CHAT).unwrap().len(), 3);
    // The reserve is not created where there is no room.
    log.keep_reserve();
    assert_eq!(log.store.inner.get("sash:z"), None);
}

#[test]
fn a_tail_whose_final_record_exists_is_dropped() {
    let mut store = written();
    let tail = encode_record(&message(2, Role::Assistant, ""));
    store
        .set(&Key::Tail(CHAT, Id(2), 0).to_string(), &tail)
        .unwrap();
    let mut log = open(store);
    assert_eq!(
        log.load(CHAT).unwrap().get(Id(2)).unwrap().content,
        "answer"
    );
    assert_eq!(
        log.store().get(&Key::Tail(CHAT, Id(2), 0).to_string()),
        None
    );
}

#[test]
fn a_damaged_record_is_set_aside_and_the_rest_loads() {
    for victim in written()
        .keys()
        .into_iter()
        .filter(|key| key != "sash:meta")
    {
        let mut store = written();
        let damaged = store.get(&victim).unwrap().replace("1|", "1|f");
        store.set(&victim, &damaged).unwrap();
        let mut log = open(store);
        let chat = log.load(CHAT).unwrap();
        assert_eq!(
            log.store().get(&format!("sash:bad:{victim}")),
            Some(damaged)
        );
        assert_eq!(log.store().get(&victim), None);
        let lost = usize::from(victim.starts_with("sash:m:"));
        assert_eq!(chat.len(), 2 - lost, "{victim}");
        assert_eq!(log.chat_list().len(), 1, "{victim}");
    }
}

/// A log with an unpaired surrogate in an answer, and the UTF-16 units of that record.
fn with_half_a_character() -> (Utf16Store, Vec<u16>) {
    let mut store = Utf16Store::default();
    for key in written().keys() {
        store.set(&key, &written().get(&key).unwrap()).unwrap();
    }
    let record = store.0.get_mut(&Key::Message(CHAT, 2, Id(2)).to_string());
    let record = record.unwrap();
    let at = record.len() - 10;
    record[at] = 0xd83d;
    let record = record.clone();
    (store, record)
}

#[test]
fn a_damaged_record_with_half_a_character_is_set_aside_unit_for_unit() {
    let key = Key::Message(CHAT, 2, Id(2));
    let (store, damaged) = with_half_a_character();
    let mut log = open(store);
    assert_eq!(log.load(CHAT).unwrap().len(), 1);
    assert_eq!(log.store().0.get(&key.quarantined()), Some(&damaged));
    assert_eq!(log.store().0.get(&key.to_string()), None);
    // Also through the journal's store, and where the journal restores the record.
    let (store, damaged) = with_half_a_character();
    let mut log = open(Journaled::new(
        store,
        journal::MemoryJournal::default(),
        KINDS,
    ));
    assert_eq!(log.load(CHAT).unwrap().len(), 1);
    let aside = log.store().get_json(&key.quarantined());
    assert_eq!(
        aside.as_deref(),
        Some(&*serde_json::to_string(&String::from_utf16_lossy(&damaged)).unwrap())
    );
    let (mut store, damaged) = with_half_a_character();
    let good = written().get(&key.to_string());
    let entry = JournalEntry {
        key: key.to_string(),
        record: good.clone(),
        at: 1,
        rev: None,
    };
    replay(&mut store, &[entry], 2, false, KINDS);
    assert_eq!(store.0.get(&key.quarantined()), Some(&damaged));
    assert_eq!(store.get(&key.to_string()), good);
}

#[test]
fn an_answer_without_its_first_piece_follows_what_is_packed() {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    for seq in [1, 2] {
        let long = "words that repeat ".repeat(200);
        log.save_message(CHAT, &message(seq, Role::User, &long))
            .unwrap();
    }
    assert_eq!(log.pack(CHAT).unwrap().messages, 2);
    log.begin_tail(CHAT, &message(3, Role::Assistant, ""), None)
        .unwrap();
    log.append_tail(CHAT, Id(3), 1, "half").unwrap();
    let mut store = log.store().clone();
    store.remove(&Key::Tail(CHAT, Id(3), 0).to_string());
    let mut log = open(store);
    let chat = log.load(CHAT).unwrap();
    assert_eq!(chat.path().len(), 3);
    assert_eq!(chat.get(Id(3)).unwrap().parent, Some(Id(2)));
}

#[test]
fn a_newer_record_is_left_alone() {
    let mut store = written();
    let key = Key::Message(CHAT, 2, Id(2)).to_string();
    store.set(&key, "2|whatever").unwrap();
    let mut log = open(store);
    assert_eq!(log.load(CHAT).unwrap().len(), 1);
    assert_eq!(log.store().get(&key).as_deref(), Some("2|whatever"));
}

#[test]
fn another_programs_log_and_a_newer_one_are_not_written() {
    for (meta, expected) in [
        (
            r#"{"app":"other","schema":1,"minReader":1,"install":"0000000000000001"}"#,
            OpenError::Foreign,
        ),
        (
            r#"{"app":"sash","schema":9,"minReader":9,"install":"0000000000000001"}"#,
            OpenError::Newer,
        ),
    ] {
        let mut store = written();
        store.set("sash:meta", meta).unwrap();
        let before = store.clone();
        let (store, error) = Log::open(store, Id(3), KINDS).map(|_| ()).unwrap_err();
        assert_eq!(error, expected);
        for key in before.keys() {
            assert_eq!(store.get(&key), before.get(&key));
        }
    }
}

#[test]
fn a_full_store_loses_nothing_that_was_there() {
    for fails_at in 1..6 {
        let mut log = open(FailingStore {
            inner: written(),
            ..Default::default()
        });
        log.store.fails_at = Some(log.store.writes + fails_at);
        let mut kept = 2;
        kept += usize::from(
            log.save_message(CHAT, &message(3, Role::User, "more"))
                .is_ok(),
        );
        let tail = log
            .begin_tail(CHAT, &message(4, Role::Assistant, ""), None)
            .is_ok();
        let _ = log.append_tail(CHAT, Id(4), 1, "half");
        let _ = log.append_tail(CHAT, Id(4), 2, " more");
        let _ = log.save_message(CHAT, &message(4, Role::Assistant, "half more"));
        kept += usize::from(tail);
        let mut reopened = open(log.store.inner.clone());
        assert_eq!(
            reopened.load(CHAT).unwrap().len(),
            kept,
            "failing from write {fails_at}"
        );
    }
}

#[test]
fn what_found_no_room_is_read_all_the_same_and_written_when_there_is_room() {
    let mut log = open(FailingStore {
        inner: written(),
        ..Default::default()
    });
    log.store.fails_at = Some(0);
    for (seq, role) in [(3, Role::User), (4, Role::Assistant)] {
        let saved = log.save_message(CHAT, &message(seq, role, "no room"));
        assert_eq!(saved, Err(StoreError::Full));
    }
    assert_eq!(log.waiting(), 2);
    assert_eq!(log.load(CHAT).unwrap().len(), 4);
    assert_eq!(open(log.store.inner.clone()).load(CHAT).unwrap().len(), 2);

    // Deleting is never refused, because it makes room.
    log.save_head(&Head::new(Id(11), 6)).unwrap_err();
    log.delete(Id(11), 7).unwrap();
    assert_eq!(log.deleted().len(), 1);
    log.store.fails_at = None;
    log.purge(Id(11), 8);
    assert_eq!(log.waiting(), 0);
    assert_eq!(open(log.store.inner.clone()).load(CHAT).unwrap().len(), 4);
    assert!(open(log.store.inner.clone()).deleted().is_empty());
}

#[test]
fn what_another_tab_wrote_is_seen_when_it_is_noted() {
    let mut log = open(written());
    let mut other = open(log.store().clone());
    other
        .save_message(CHAT, &message(3, Role::User, "from there"))
        .unwrap();
    *log.store = other.store().clone();
    let key = Key::Message(CHAT, 3, Id(3)).to_string();
    assert_eq!(log.on_key_change(&key, true), Some(CHAT));
    assert_eq!(log.load(CHAT).unwrap().len(), 3);
}
