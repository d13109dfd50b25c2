//! An unfinished answer is imported exactly as it is read where it was written, whichever pieces are lost.

use super::*;
use sash_chat::Outcome;
use sash_log::{Key, encode_record};

const PIECES: [&str; 3] = ["one ", "two ", "three"];

/// A log with a tail, and the lines that the page without a program saves of it.
fn begun() -> (MemoryStore, Vec<String>) {
    let mut log = log_of(&[simple(1)]);
    log.save_message(Id(1), &message(103, 102, 3, "And?"))
        .unwrap();
    let answer = Message {
        parent: Some(Id(103)),
        ..message(104, 103, 4, "")
    };
    log.begin_tail(Id(1), &answer, None).unwrap();
    for (n, piece) in (1..).zip(PIECES) {
        log.append_tail(Id(1), Id(104), n, piece).unwrap();
    }
    let store = log.store().clone();
    let keys = dump(&store)
        .into_iter()
        .filter(|(key, _)| key != "sash:meta");
    let file = keys.map(|(key, record)| lines::line(&key, &record).unwrap());
    (store, file.collect())
}

fn tail(n: u32) -> String {
    Key::Tail(Id(1), Id(104), n).to_string()
}

/// The last message of a chat, without its times.
fn last(log: &mut Log<MemoryStore>) -> Message {
    let chat = log.load(Id(1)).unwrap();
    let last = chat.path().last().copied().cloned().unwrap();
    Message { created: 0, ..last }
}

#[test]
fn a_piece_that_is_lost_or_damaged_is_marked_as_it_is_where_it_is_read() {
    for at in 0..=3 {
        for damaged in [false, true] {
            let (mut store, mut file) = begun();
            let own = |line: &&mut String| line.contains(&format!("\"{}\"", tail(at)));
            let line = file.iter_mut().find(own).unwrap();
            if damaged {
                store.set(&tail(at), "1|00000000|\"#\"").unwrap();
                *line = lines::line(&tail(at), "1|00000000|\"#\"").unwrap();
            } else {
                store.remove(&tail(at));
                line.clear();
            }
            let mut here = log_of(&[]);
            let fates = imported(&mut here, &file.concat());
            assert_eq!(fates, [ImportOutcome::New], "{at}, {damaged}");
            let (there, here) = (last(&mut open(store)), last(&mut here));
            assert_eq!(here, there, "{at}, {damaged}");
            assert_eq!(here.outcome, Outcome::Interrupted);
            assert_eq!(here.parent, Some(Id(103)), "{at}, {damaged}");
            for (n, words) in (1..).zip(["one", "two", "three"]) {
                assert_eq!(here.content.contains(words), n != at, "{at}, {damaged}");
            }
            let told = here.content.contains("could not be read");
            assert_eq!(told, at == 1 || at == 2, "{at}, {damaged}");
        }
    }
}

#[test]
fn a_piece_that_stands_there_as_it_was_found_is_missing_too() {
    let (_, mut file) = begun();
    for line in &mut file {
        if line.contains(&tail(2)) {
            *line = lines::raw(&tail(2), "\"1|00000000|#\"");
        }
    }
    let mut here = log_of(&[]);
    imported(&mut here, &file.concat());
    let last = last(&mut here);
    assert!(last.content.starts_with("one ") && last.content.ends_with("three"));
    assert!(last.content.contains("could not be read"));
}

#[test]
fn an_answer_of_which_no_word_is_left_is_none() {
    let lines = lines::line(&tail(1), "1|00000000|\"#\"").unwrap();
    let mut here = log_of(&[]);
    let plan = planned(&mut here, &format!("{}{lines}", lines::header(NOW, 1, 0)));
    assert_eq!(plan.count(|fate| fate == ImportOutcome::New), 0);
}

/// An answer with tool calls, its fields in the given order.
fn calling(order: [&str; 2]) -> Message {
    let fields = |pairs: &[(&str, serde_json::Value)]| {
        let of = |name: &str| pairs.iter().find(|(known, _)| *known == name).unwrap();
        let fields = order.iter().map(|name| of(name).clone());
        serde_json::Value::Object(
            fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    };
    let arguments = fields(&[("a", 1.into()), ("b", "x".into())]);
    let call = fields(&[("a", arguments), ("b", serde_json::json!([{}]))]);
    let mut message = message(102, 101, 2, "An answer");
    message.tool_calls = Some(serde_json::json!([call]));
    message.receipt.as_mut().unwrap().options =
        Some(fields(&[("a", 4096.into()), ("b", 0.5.into())]));
    message
}

#[test]
fn messages_are_the_same_in_whatever_order_their_fields_stand() {
    let with = |order| {
        let mut chat = simple(1);
        chat.insert(calling(order));
        chat
    };
    let (one, other) = (with(["a", "b"]), with(["b", "a"]));
    assert_ne!(
        encode_record(one.get(Id(102)).unwrap()),
        encode_record(other.get(Id(102)).unwrap())
    );
    let mut log = log_of(std::slice::from_ref(&one));
    let file = exported(&mut log_of(std::slice::from_ref(&other)), ExportScope::All);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    // A copy is not imported twice either: its id is derived from its content.
    let mut differs = simple(1);
    differs.insert(message(102, 101, 2, "Something else"));
    let mut log = log_of(&[differs]);
    assert!(matches!(
        imported(&mut log, &file)[..],
        [ImportOutcome::Copy(_)]
    ));
    let file = exported(&mut log_of(&[one]), ExportScope::All);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
}
