//! The file that `public/export.js` writes can be imported: end2end/tests/export-page.spec.ts checks the page
//! against the same two files.

use super::*;
use sash_chat::Outcome;
use sash_log::Key;
use sash_records::KINDS;

const STORE: &str = include_str!("../data/import/plain-page.store.json");
const FILE: &str = include_str!("../data/import/plain-page.jsonl");

fn store() -> MemoryStore {
    let records = serde_json::from_str::<serde_json::Value>(STORE).unwrap();
    let mut store = MemoryStore::default();
    for (key, record) in records.as_object().unwrap() {
        store.set(key, record.as_str().unwrap()).unwrap();
    }
    store
}

#[test]
fn what_the_page_without_a_program_saved_comes_in_whole() {
    let mut there = open(store());
    let mut here = log_of(&[]);
    let plan = planned(&mut here, FILE);
    assert_eq!(plan.count(|fate| fate == ImportOutcome::New), 3);
    assert_eq!(
        plan.notes,
        ImportNotes {
            aside: 1,
            ..ImportNotes::default()
        }
    );
    applied(&mut here, plan).unwrap();
    for id in [1, 2, 3].map(Id) {
        let (there, here) = (there.load(id).unwrap(), here.load(id).unwrap());
        assert_eq!(
            here.messages().collect::<Vec<_>>(),
            there.messages().collect::<Vec<_>>()
        );
        assert_eq!(here.head.systems, there.head.systems);
        assert_eq!(here.leaf(), there.leaf());
    }
    // Packed, interrupted and in the trash in the source log.
    assert!(there.chat_keys().get(&Id(1)).unwrap().segments.len() == 1);
    let cut = here.load(Id(2)).unwrap();
    let last = cut.path().last().copied().cloned().unwrap();
    assert_eq!(
        (last.outcome, last.content.as_str()),
        (Outcome::Interrupted, "Half of an answer")
    );
    assert_eq!(here.deleted().len(), 1);
    assert!(
        here.store()
            .keys()
            .iter()
            .all(|key| !matches!(Key::parse(key, KINDS), Some(Key::Tail(..))))
    );
    // Importing the file into the log it came from adds nothing.
    let fates: Vec<ImportOutcome> = planned(&mut there, FILE)
        .chats
        .iter()
        .map(|c| c.fate)
        .collect();
    assert!(
        fates
            .iter()
            .all(|fate| matches!(fate, ImportOutcome::Here | ImportOutcome::More(0))),
        "{fates:?}"
    );
}

/// Writes the store that both tests start from. Run it by hand when the form of records changes: `cargo test
/// -p sash-form writes_the_store -- --ignored`, then save the page's export of it.
#[test]
#[ignore = "writes a fixture"]
fn writes_the_store() {
    let mut chats = [simple(1), simple(2), simple(3)];
    chats[0].head.set_system("Be brief.");
    chats[0].insert(message(
        103,
        102,
        3,
        "A \"quoted\" |line|\nwith 日本語 and \u{1f600}",
    ));
    chats[0].insert(message(104, 103, 4, "Another answer"));
    let mut log = log_of(&chats);
    log.pack(Id(1)).unwrap();
    let mut begun = message(204, 202, 4, "");
    begun.receipt = None;
    log.save_message(Id(2), &message(203, 202, 3, "And?"))
        .unwrap();
    log.begin_tail(
        Id(2),
        &Message {
            parent: Some(Id(203)),
            ..begun
        },
        None,
    )
    .unwrap();
    log.append_tail(Id(2), Id(204), 1, "Half of ").unwrap();
    log.append_tail(Id(2), Id(204), 2, "an answer").unwrap();
    log.delete(Id(3), NOW).unwrap();
    let mut store = log.store().clone();
    store
        .set(
            "sash:bad:sash:m:0000000000000002:000009-00000000000000ff",
            "1|00000000|{\"half",
        )
        .unwrap();
    store.set("sash:set", "1|00000000|{}").unwrap();
    let records: serde_json::Map<String, serde_json::Value> = dump(&store)
        .into_iter()
        .map(|(key, record)| (key, record.into()))
        .collect();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/import/plain-page.store.json"
    );
    std::fs::write(path, serde_json::to_string_pretty(&records).unwrap() + "\n").unwrap();
}
