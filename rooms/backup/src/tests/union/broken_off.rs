//! A union that is broken off anywhere, and one without room.

use super::frail::{
    Copies, Dice, FrailLog, TheirCopy, change_head_of, content, messages, records, reopened,
    union_of, write,
};
use super::{B, C, CHAT, NOW, browser, message, two_browsers};
use crate::gone::Gone;
use crate::record::CopyState;
use sash_chat::{Id, Message, Outcome, Receipt, Summary};
use sash_form::lines::{self, ExportLine};
use sash_log::{Key, StoreError, encode_record};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn interrupted(message: Message) -> Message {
    Message {
        outcome: Outcome::Interrupted,
        ..message
    }
}

/// A browser whose chat is in the trash, and a copy of another one with all that there is: a whole answer instead of its
/// beginning, another text of a message, receipts, lists, fields, the trash of messages.
fn everything() -> (FrailLog, Copies) {
    let (mut a, mut b, mut copies) = two_browsers();
    write(&mut a, CHAT, &interrupted(message(110, 101, 4, "Half")));
    write(&mut a, CHAT, &message(112, 101, 6, "Mine"));
    let answer = message(102, 101, 2, "An answer");
    a.remove_message(CHAT, &answer, NOW).unwrap();
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    write(&mut b, CHAT, &message(110, 101, 4, "Half an answer"));
    b.restore_message(CHAT, Id(102));
    let question = message(103, 102, 3, "And then?");
    write(&mut b, CHAT, &question);
    change_head_of(&mut b, CHAT, |head| {
        head.title = Some("A title".to_owned());
        head.set_system("Be kind.");
        head.pin(Id(103), true);
        head.add_summary(Summary {
            number: 0,
            text: "So far".to_owned(),
            from: Id(101),
            through: Id(102),
            count: 2,
            model: None,
            prompt_tokens: None,
            answer_tokens: None,
            created: 3,
            edited: false,
            cut_off: false,
        });
    });
    let receipt = Receipt {
        system: Some(0),
        summary: Some(0),
        ..Receipt::default()
    };
    let answer = Message {
        receipt: Some(receipt),
        ..message(104, 103, 4, "Because.")
    };
    write(&mut b, CHAT, &answer);
    let last = message(105, 104, 5, "A last question");
    write(&mut b, CHAT, &last);
    b.remove_message(CHAT, &last, NOW).unwrap();
    copies.put(&mut b, CHAT);
    // Another text under one id, as two copies of a profile may have it.
    let sibling = message(112, 101, 6, "Yours");
    let key = Key::Message(CHAT, 6, Id(112)).to_string();
    let line = lines::line(&key, &encode_record(&sibling)).unwrap();
    let copy = copies
        .all
        .values_mut()
        .flatten()
        .filter(|copy| copy.of.browser == Id(B));
    copy.last().unwrap().lines += &line;
    change_head_of(&mut a, CHAT, |head| head.set_system("Be brief."));
    a.delete(CHAT, NOW).unwrap();
    copies.put(&mut a, CHAT);
    (a, copies)
}

/// Breaks the union off after each change of the store, opens the log anew and merges the copy again.
fn kill_everywhere(a: &FrailLog, copies: &Copies, copy: &TheirCopy) -> usize {
    let mut whole = reopened(a);
    copies.merge(&mut whole, copy).unwrap();
    let expected = content(&mut whole, CHAT);
    let after = records(&whole);
    copies.merge(&mut whole, copy).unwrap();
    assert_eq!(records(&whole), after);
    for changes in 0.. {
        let mut killed = reopened(a);
        killed.store().left.set(Some(changes));
        copies.merge(&mut killed, copy).unwrap();
        let is_through = killed.store().left.get() > Some(0);
        let mut next = reopened(&killed);
        copies.merge(&mut next, copy).unwrap();
        assert_eq!(content(&mut next, CHAT), expected, "after {changes}");
        let after = records(&next);
        copies.merge(&mut next, copy).unwrap();
        assert_eq!(records(&next), after, "after {changes}");
        if is_through {
            return changes;
        }
    }
    0
}

#[test]
fn a_page_that_is_killed_anywhere_goes_on_to_the_same_end() {
    let (a, copies) = everything();
    let copy = copies.last(B, CHAT);
    assert!(kill_everywhere(&a, &copies, &copy) > 8);
    let mut a = a;
    copies.merge(&mut a, &copy).unwrap();
    let found = messages(&mut a, CHAT);
    let texts: Vec<&str> = found.values().map(|found| found.text.as_str()).collect();
    for text in [
        "Half an answer",
        "Mine",
        "Yours",
        "And then?",
        "Because.",
        "A last question",
    ] {
        assert_eq!(
            texts.iter().filter(|known| **known == text).count(),
            1,
            "{texts:?}"
        );
    }
    let named = &found[&Id(104)];
    assert_eq!(named.system.as_deref(), Some("Be kind."));
    assert_eq!(named.summary.as_deref(), Some("So far"));
    assert!(!a.is_deleted(CHAT) && !found[&Id(102)].in_trash && found[&Id(105)].in_trash);
    // In a browser that is new, and in one that deleted the chat for good.
    assert!(kill_everywhere(&browser(C), &copies, &copy) > 8);
    let mut purged = reopened(&a);
    let ids: Vec<Id> = found.keys().copied().filter(|id| *id != Id(103)).collect();
    let state = CopyState {
        to_purge: ids,
        purges_chat: true,
        ..CopyState::read(&mut purged, CHAT)
    };
    state.save(&mut purged, CHAT).unwrap();
    purged.delete(CHAT, NOW).unwrap();
    purged.purge(CHAT, NOW);
    assert!(kill_everywhere(&purged, &copies, &copy) > 3);
    copies.merge(&mut purged, &copy).unwrap();
    let left = messages(&mut purged, CHAT).into_values();
    assert_eq!(
        left.map(|found| found.text).collect::<Vec<_>>(),
        ["And then?"]
    );
}

/// A message that is there names a text that is there, whatever the person does before the union goes on.
#[test]
fn a_system_prompt_that_is_set_after_a_kill_takes_the_number_of_no_other() {
    let (a, copies) = everything();
    let copy = copies.last(B, CHAT);
    let mut whole = reopened(&a);
    copies.merge(&mut whole, &copy).unwrap();
    let expected = messages(&mut whole, CHAT);
    for changes in 0..12 {
        let mut killed = reopened(&a);
        killed.store().left.set(Some(changes));
        copies.merge(&mut killed, &copy).unwrap();
        let mut next = reopened(&killed);
        change_head_of(&mut next, CHAT, |head| head.set_system("Meanwhile"));
        copies.merge(&mut next, &copy).unwrap();
        assert_eq!(messages(&mut next, CHAT), expected, "after {changes}");
        let head = next.head(CHAT).unwrap();
        assert_eq!(head.system_at(head.settings.system), Some("Meanwhile"));
    }
}

#[test]
fn without_room_what_was_added_is_taken_back_and_the_copy_is_merged_later() {
    let (known, copies) = everything();
    let copy = copies.last(B, CHAT);
    for a in [known, browser(C)] {
        let mut whole = reopened(&a);
        copies.merge(&mut whole, &copy).unwrap();
        let expected = content(&mut whole, CHAT);
        for takes in 0.. {
            let mut full = reopened(&a);
            let before = messages(&mut full, CHAT);
            let (was_deleted, state) = (full.is_deleted(CHAT), CopyState::read(&mut full, CHAT));
            full.store().takes.set(Some(takes));
            let merged = copies.merge(&mut full, &copy);
            if merged.is_ok() {
                assert!(takes > 6);
                break;
            }
            assert_eq!(merged, Err(StoreError::Full));
            assert_eq!(full.waiting(), 0, "after {takes}");
            let after = messages(&mut full, CHAT);
            // An answer that is whole now stays so.
            assert!(after.keys().eq(before.keys()), "after {takes}");
            assert_eq!(full.is_deleted(CHAT), was_deleted, "after {takes}");
            assert_eq!(CopyState::read(&mut full, CHAT), state, "after {takes}");
            if before.is_empty() {
                assert!(full.load(CHAT).is_none(), "after {takes}");
            }
            let mut next = reopened(&full);
            copies.merge(&mut next, &copy).unwrap();
            assert_eq!(content(&mut next, CHAT), expected, "after {takes}");
        }
    }
}

/// What waits for room would be written over it later.
#[test]
fn nothing_is_merged_while_records_of_this_browser_wait_for_room() {
    let (mut a, copies) = everything();
    let copy = copies.last(B, CHAT);
    a.store().takes.set(Some(0));
    let mut head = a.head(CHAT).unwrap();
    head.title = Some("It waits".to_owned());
    head.rev += 1;
    assert_eq!(a.save_head(&head), Err(StoreError::Full));
    let before = records(&a);
    assert_eq!(copies.merge(&mut a, &copy), Err(StoreError::Full));
    assert_eq!(records(&a), before);
    a.write_waiting();
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(messages(&mut a, CHAT)[&Id(103)].text, "And then?");
}

/// What a page has shown of it is taken back there, too.
#[test]
fn what_was_written_and_taken_back_is_told() {
    let (a, copies) = everything();
    let copy = copies.last(B, CHAT);
    for takes in 0..6 {
        let mut full = reopened(&a);
        full.store().takes.set(Some(takes));
        let mut union = union_of(&mut full, &copy, &Gone::default());
        let mut shown = BTreeMap::new();
        while union.write_step(&mut full, NOW) == Ok(true) {
            shown.extend(union.take_written());
        }
        shown.extend(union.take_written());
        assert!(shown.len() >= takes);
        assert_eq!(shown.get(&Key::Tombstone(CHAT)), Some(&true));
        for (key, there) in shown {
            assert_eq!(full.record(&key.to_string()).is_some(), there, "{key}");
        }
    }
}

/// The values of a record that hold no others.
fn leaves<'v>(value: &'v mut Value, all: &mut Vec<&'v mut Value>) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| leaves(value, all)),
        Value::Array(list) => list.iter_mut().for_each(|value| leaves(value, all)),
        leaf => all.push(leaf),
    }
}

#[test]
fn a_copy_with_any_values_takes_no_word_from_this_browser() {
    let (a, copies) = everything();
    let copy = copies.last(B, CHAT);
    let hostile = [
        Value::Null,
        json!(-1),
        json!(4_000_000_000_u64),
        json!(u64::MAX),
        json!(1e300),
        json!(true),
        json!(""),
        json!("x".repeat(1000)),
        json!([[[]]]),
        json!({"a": {}}),
    ];
    let mut dice = Dice(1);
    for round in 0..500 {
        let mut other = |line: &str| {
            let ExportLine::Record { key, data, .. } = lines::parse(line) else {
                panic!("{line}");
            };
            let mut value: Value = serde_json::from_str(data).unwrap();
            let mut all = Vec::new();
            leaves(&mut value, &mut all);
            if dice.is(3) {
                let at = dice.roll(all.len());
                all[at].clone_from(&hostile[dice.roll(hostile.len())]);
            }
            lines::line(key, &encode_record(&value)).unwrap()
        };
        let lines: String = copy.lines.lines().map(&mut other).collect();
        let copy = TheirCopy {
            lines,
            ..copy.clone()
        };
        let mut log = reopened(&a);
        let before = messages(&mut log, CHAT);
        copies.merge(&mut log, &copy).unwrap();
        let after = messages(&mut log, CHAT);
        for (id, found) in before {
            assert!(after[&id].text.starts_with(&found.text), "{id} in {round}");
        }
        let once = records(&log);
        copies.merge(&mut log, &copy).unwrap();
        assert_eq!(records(&log), once, "{round}");
        // There is room for the number of the next message.
        let loaded = reopened(&log).load(CHAT).unwrap();
        assert!(loaded.tree.next_seq() < 100, "{round}");
    }
}
