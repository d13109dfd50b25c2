//! The browser implementations of storage, ids and clock, in a real browser.

use crate::browser::ids;
use crate::browser::storage::BrowserStore;
use sash_browser_kit::clock;
use sash_chat::{Head, Id, Message, Role};
use sash_log::{Key, KeyValue, Kinds, Log};
use wasm_bindgen_test::wasm_bindgen_test;

fn store() -> BrowserStore {
    BrowserStore::open().expect("the browser has a store")
}

fn message(text: &str) -> Message {
    Message {
        content: text.to_owned(),
        ..Message::new(ids::new_id(), None, 1, Role::User, clock::now())
    }
}

/// Every character is read back from localStorage as it was written, and so is a chat.
#[wasm_bindgen_test]
fn a_chat_survives_local_storage() {
    let chat = ids::new_id();
    let text = "é 日本 😀 👩‍👩‍👧 \u{0} \u{202e} \" | \\ \n";
    let question = message(text);
    let mut log = Log::open(store(), Id(1), Kinds::default()).expect("the log is ours");
    log.save_head(&Head::new(chat, 5)).expect("there is room");
    log.save_message(chat, &question).expect("there is room");
    drop(log);
    let mut log = Log::open(store(), Id(2), Kinds::default()).expect("the log is ours");
    let loaded = log.load(chat).expect("the chat is there");
    assert_eq!(loaded.get(question.id), Some(&question));
    log.delete(chat, 1).expect("there is room");
    log.purge(chat, 2);
    let key = Key::Message(chat, 1, question.id).to_string();
    assert_eq!(store().get(&key), None);
}

/// A write to a full store fails, and the previous value of the key is still there.
#[wasm_bindgen_test]
fn a_full_store_keeps_the_old_value() {
    let mut store = store();
    store.set("sash:test", "old").expect("there is room");
    let refused = store.set("sash:test", &"x".repeat(6_000_000));
    assert_eq!(refused, Err(sash_log::StoreError::Full));
    assert_eq!(store.get("sash:test").as_deref(), Some("old"));
    store.remove("sash:test");
    assert!(!store.keys().contains(&"sash:test".to_owned()));
}

/// Ids are random; the clock shows this century and is monotonic.
#[wasm_bindgen_test]
fn ids_and_clock() {
    let (a, b) = (ids::new_id(), ids::new_id());
    assert_ne!(a, b);
    assert!(clock::now() > 1_700_000_000_000);
    let earlier = clock::monotonic();
    assert!(clock::monotonic() >= earlier);
    // In the browser's notation: 14:02, or 2:02 PM.
    let time = clock::time_of_day(clock::now());
    assert!(time.contains(|c: char| c.is_ascii_digit()), "{time}");
}
