//! Migrations: a kill between any two writes leaves a readable log, and the next run completes the migration.

use super::*;
use crate::form::Form;
use crate::record;
use serde_json::{Value, json};

/// Invented older forms: the field `content` was called `words`, then `text`.
static THIRD: Form = Form {
    version: 3,
    upgrades: &[
        |key, value| rename(key, value, "words", "text"),
        |key, value| rename(key, value, "text", "content"),
    ],
};

fn rename(key: Key, mut value: Value, from: &str, to: &str) -> Option<Value> {
    if matches!(key, Key::Message(..)) {
        let text = value.as_object_mut()?.remove(from)?;
        value.as_object_mut()?.insert(to.into(), text);
    }
    Some(value)
}

fn encode<T: serde::Serialize>(value: &T) -> String {
    record::encode(1, &record::payload(value))
}

const MESSAGES: u32 = 5;

fn first_form() -> MemoryStore {
    let mut store = MemoryStore::default();
    let meta = r#"{"app":"sash","schema":1,"minReader":1,"install":"0000000000000001"}"#;
    store.set("sash:meta", meta).unwrap();
    let head = encode(&Head::new(CHAT, 5));
    store.set(&Key::Head(CHAT).to_string(), &head).unwrap();
    for seq in 1..=MESSAGES {
        let value = json!({"id": Id(u64::from(seq)), "seq": seq, "role": "user", "words": format!("said {seq}")});
        let key = Key::Message(CHAT, seq, Id(u64::from(seq)));
        store.set(&key.to_string(), &encode(&value)).unwrap();
    }
    store
}

fn said(store: MemoryStore) -> (Vec<String>, MemoryStore) {
    let mut log = Log::open_as(store, Id(1), KINDS, &THIRD)
        .map_err(|(_, e)| e)
        .unwrap();
    let chat = log.load(CHAT).unwrap();
    let texts = chat.messages().map(|m| m.content.clone()).collect();
    (texts, log.store().clone())
}

#[test]
fn a_migration_can_be_killed_between_any_two_writes() {
    let expected: Vec<String> = (1..=MESSAGES).map(|n| format!("said {n}")).collect();
    for writes in 0..=MESSAGES as usize + 4 {
        let mut store = FailingStore {
            inner: first_form(),
            fails_at: Some(writes + 1),
            ..Default::default()
        };
        // May fail at any write.
        let _ = crate::meta::open_or_create(&mut store, &THIRD, KINDS, Id(1));
        let (texts, finished) = said(store.inner);
        assert_eq!(texts, expected, "killed after {writes} writes");
        for key in finished.keys() {
            let record = finished.get(&key).unwrap();
            assert!(
                record.starts_with("3|") || key == "sash:meta",
                "{key}: {record}"
            );
        }
        let meta = finished.get("sash:meta").unwrap();
        assert!(meta.contains(r#""schema":3,"minReader":3"#) && !meta.contains("upgrading"));
        // A second run changes nothing.
        let again = said(finished.clone()).1;
        assert!(
            again
                .keys()
                .iter()
                .all(|key| again.get(key) == finished.get(key))
        );
    }
}

#[test]
fn without_room_for_a_migration_all_is_read_all_the_same() {
    let mut store = FailingStore {
        inner: first_form(),
        ..Default::default()
    };
    store.room = Some(store.inner.units() + 30);
    let mut log = Log::open_as(store, Id(1), KINDS, &THIRD)
        .map_err(|(_, e)| e)
        .unwrap();
    assert_eq!(log.load(CHAT).unwrap().len(), MESSAGES as usize);
    // The former version of Sash refuses to write beside it.
    let old = Form {
        version: 1,
        upgrades: &[],
    };
    let mut store = log.store.inner.clone();
    let claimed = crate::meta::open_or_create(&mut store, &old, KINDS, Id(1));
    assert_eq!(claimed, Err(OpenError::Newer));
}

#[test]
fn a_record_that_no_step_can_read_is_set_aside() {
    let mut store = first_form();
    let key = Key::Message(CHAT, 2, Id(2)).to_string();
    store.set(&key, &encode(&json!({"id": Id(2)}))).unwrap();
    let (texts, store) = said(store);
    assert_eq!(texts.len(), MESSAGES as usize - 1);
    assert!(store.get(&format!("sash:bad:{key}")).is_some());
}
