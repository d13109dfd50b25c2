//! Messages by their ids.

use super::frail::{
    Copies, FrailLog, TheirCopy, change_head_of, content, messages, records, reopened, texts,
    union_of, write,
};
use super::{A, B, C, CHAT, NOW, browser, message, open_as, two_browsers};
use crate::form::CopyRecord;
use crate::gone::Gone;
use crate::lines::chat_state;
use crate::record::CopyState;
use sash_chat::{Head, Id, Image, ImageFormat, ImageHash, Message, Outcome, Receipt, Summary};
use sash_form::lines;
use sash_log::{Key, KeyValue, encode_record};
use std::collections::BTreeSet;

const BASE: [&str; 2] = ["A question", "An answer"];

fn with(more: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = BASE.iter().chain(more).map(ToString::to_string).collect();
    all.sort_unstable();
    all
}

fn interrupted(message: Message) -> Message {
    Message {
        outcome: Outcome::Interrupted,
        ..message
    }
}

fn summary(text: &str, created: u64) -> Summary {
    Summary {
        number: 0,
        text: text.to_owned(),
        from: Id(101),
        through: Id(102),
        count: 2,
        model: None,
        prompt_tokens: None,
        answer_tokens: None,
        created,
        edited: false,
        cut_off: false,
    }
}

/// Merges the last copy of browser B.
fn merge_b(copies: &Copies, log: &mut FrailLog) {
    copies.merge(log, &copies.last(B, CHAT)).unwrap();
}

/// The copy with another line after its last one.
fn with_line(copy: TheirCopy, key: Key, message: &Message) -> TheirCopy {
    let line = lines::line(&key.to_string(), &encode_record(message)).unwrap();
    TheirCopy {
        lines: copy.lines + &line,
        ..copy
    }
}

#[test]
fn what_another_browser_wrote_is_added_once() {
    let (mut a, mut b, mut copies) = two_browsers();
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    // Another answer to the first question.
    write(&mut b, CHAT, &message(104, 101, 4, "Another one"));
    write(&mut a, CHAT, &message(203, 102, 3, "Asked here"));
    copies.put(&mut b, CHAT);
    merge_b(&copies, &mut a);
    let all = with(&["And then?", "Another one", "Asked here"]);
    assert_eq!(texts(&mut a, CHAT), all);
    let before = records(&a);
    merge_b(&copies, &mut a);
    assert_eq!(records(&a), before);
    // What the union has learned of it is the same, too.
    let state = CopyState::read(&mut a, CHAT);
    merge_b(&copies, &mut a);
    assert_eq!(CopyState::read(&mut a, CHAT), state);
    assert_eq!(state.seen[&Id(B)], copies.last(B, CHAT).record.write);
}

#[test]
fn a_chat_that_is_new_here_comes_as_a_whole() {
    let (mut a, mut b, mut copies) = two_browsers();
    change_head_of(&mut a, CHAT, |head| {
        head.title = Some("A title".to_owned());
        head.set_system("Be brief.");
        head.others.insert("newer".to_owned(), 7.into());
    });
    a.pack(CHAT).unwrap();
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    let mut c = browser(C);
    copies.follow(&mut c, CHAT);
    assert_eq!(content(&mut c, CHAT), content(&mut a, CHAT));
    let head = c.head(CHAT).unwrap();
    assert_eq!((head.created, head.systems.len()), (5, 1));
    // Each field is known to be the one of the others: nothing is a change of this browser.
    let clocks = CopyState::read(&mut c, CHAT).fields;
    assert!(clocks.values().all(|clock| clock.write == 0), "{clocks:?}");
}

#[test]
fn a_chat_without_a_message_is_not_made() {
    let (mut a, mut b) = (browser(A), browser(B));
    let mut copies = Copies::default();
    b.save_head(&Head::new(CHAT, 5)).unwrap();
    copies.put(&mut b, CHAT);
    merge_b(&copies, &mut a);
    assert_eq!(a.load(CHAT), None);
    assert_eq!(CopyState::read(&mut a, CHAT).seen[&Id(B)], 1);
}

/// Of the old form: receipts of this browser were renumbered, and that of a running answer named another system prompt.
#[test]
fn a_receipt_names_the_same_texts_and_those_of_this_browser_stay_as_they_are() {
    let receipt = |system, summary| Receipt {
        system,
        summary,
        ..Receipt::default()
    };
    let answer = |id, text, receipt| Message {
        receipt: Some(receipt),
        ..message(id, 101, 4, text)
    };
    let (mut a, mut b, mut copies) = two_browsers();
    for (log, system, text, created) in [
        (&mut a, "Be brief.", "So far", 1),
        (&mut b, "Be kind.", "Until now", 2),
    ] {
        change_head_of(log, CHAT, |head| {
            head.set_system(system);
            head.add_summary(summary(text, created));
        });
    }
    write(
        &mut a,
        CHAT,
        &answer(201, "Ours", receipt(Some(0), Some(0))),
    );
    let running = answer(202, "", receipt(Some(0), None));
    a.begin_tail(CHAT, &running, None).unwrap();
    write(
        &mut b,
        CHAT,
        &answer(301, "Theirs", receipt(Some(0), Some(0))),
    );
    write(
        &mut b,
        CHAT,
        &answer(302, "Lost", receipt(Some(7), Some(9))),
    );
    copies.put(&mut b, CHAT);
    let ours = [Key::Message(CHAT, 4, Id(201)), Key::Tail(CHAT, Id(202), 0)];
    let before = ours.map(|key| a.record(&key.to_string()));
    merge_b(&copies, &mut a);
    assert_eq!(ours.map(|key| a.record(&key.to_string())), before);
    let found = messages(&mut a, CHAT);
    let named = |id| {
        (
            found[&Id(id)].system.as_deref(),
            found[&Id(id)].summary.as_deref(),
        )
    };
    assert_eq!(named(201), (Some("Be brief."), Some("So far")));
    assert_eq!(named(202), (Some("Be brief."), None));
    assert_eq!(named(301), (Some("Be kind."), Some("Until now")));
    let lost = a.find_message(CHAT, Id(302)).unwrap().receipt.unwrap();
    assert_eq!((lost.system, lost.summary), (None, None));
    let head = a.head(CHAT).unwrap();
    assert_eq!(head.systems, ["Be brief.", "Be kind."]);
}

/// Two browsers with more summaries than a chat keeps must not swap them for ever.
#[test]
fn of_more_summaries_than_a_chat_keeps_the_one_in_use_comes() {
    let (mut a, mut b, mut copies) = two_browsers();
    for (log, who) in [(&mut a, "A"), (&mut b, "B")] {
        change_head_of(log, CHAT, |head| {
            (0..30).for_each(|n| head.add_summary(summary(&format!("{who} {n}"), n)));
        });
    }
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    let in_use = [&mut a, &mut b].map(|log| {
        let head = log.head(CHAT).unwrap();
        assert_eq!(head.summaries.len(), 30);
        let summary = head.summary_numbered(head.settings.summary);
        summary.unwrap().text.clone()
    });
    assert_eq!(in_use[0], in_use[1]);
}

/// Of the old form: the shorter line of a newer writer replaced a whole answer.
#[test]
fn a_beginning_gives_way_to_the_whole_answer_and_never_the_other_way() {
    for packs in [false, true] {
        let (mut a, mut b, mut copies) = two_browsers();
        let long = "One two three ".repeat(200);
        let half = interrupted(message(104, 101, 4, &long[..1400]));
        write(&mut a, CHAT, &half);
        write(&mut b, CHAT, &message(104, 101, 4, &long));
        if packs {
            a.pack(CHAT).unwrap();
            assert!(!a.chat_keys()[&CHAT].segments.is_empty());
        }
        let whole = records(&b);
        copies.put(&mut a, CHAT);
        copies.put(&mut b, CHAT);
        merge_b(&copies, &mut a);
        copies.merge(&mut b, &copies.last(A, CHAT)).unwrap();
        assert_eq!(records(&b), whole);
        for log in [&mut a, &mut b] {
            assert_eq!(texts(log, CHAT), with(&[&long]));
        }
        copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
        let mut c = browser(C);
        copies.follow(&mut c, CHAT);
        assert_eq!(texts(&mut c, CHAT), with(&[&long]));
    }
}

#[test]
fn the_same_words_are_one_message_however_they_ended() {
    let (mut a, mut b, mut copies) = two_browsers();
    let half = interrupted(message(104, 101, 4, "All of it"));
    let receipt = Receipt {
        answer_tokens: Some(3),
        ..Receipt::default()
    };
    let whole = Message {
        receipt: Some(receipt),
        created: 77,
        ..message(104, 101, 4, "All of it")
    };
    write(&mut a, CHAT, &half);
    write(&mut b, CHAT, &whole);
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    for log in [&mut a, &mut b] {
        assert_eq!(texts(log, CHAT), with(&["All of it"]));
        assert_eq!(log.find_message(CHAT, Id(104)), Some(whole.clone()));
    }
}

#[test]
fn two_texts_of_one_message_stand_beside_each_other_and_neither_doubles() {
    let (mut a, mut b, mut copies) = two_browsers();
    let mut c = browser(C);
    write(&mut a, CHAT, &message(104, 101, 4, "Mine"));
    write(&mut b, CHAT, &message(104, 101, 4, "Yours"));
    copies.put(&mut a, CHAT);
    copies.put(&mut b, CHAT);
    let merged = copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert_eq!(merged.beside, 1);
    a.pack(CHAT).unwrap();
    copies.follow_all(&mut [&mut c, &mut a, &mut b], &[CHAT]);
    for log in [&mut a, &mut b, &mut c] {
        assert_eq!(texts(log, CHAT), with(&["Mine", "Yours"]));
    }
    let again = copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert_eq!(again.beside, 0);
    // Nothing of it is held to be unknown to the others: the chat can be deleted.
    b.delete(CHAT, NOW).unwrap();
    copies.follow_all(&mut [&mut b, &mut a, &mut c], &[CHAT]);
    assert!(a.is_deleted(CHAT) && c.is_deleted(CHAT));
}

/// Of the old form: a running answer was "Interrupted" in another browser, which offered to continue it.
#[test]
fn a_running_answer_comes_once_it_has_ended() {
    let (mut a, mut b, mut copies) = two_browsers();
    let answer = message(104, 101, 4, "");
    b.begin_tail(CHAT, &answer, None).unwrap();
    b.append_tail(CHAT, Id(104), 1, "Half an").unwrap();
    copies.put(&mut b, CHAT);
    let seen = CopyState::read(&mut a, CHAT).seen[&Id(B)];
    merge_b(&copies, &mut a);
    assert_eq!(texts(&mut a, CHAT), with(&[]));
    assert_eq!(CopyState::read(&mut a, CHAT).seen[&Id(B)], seen);
    b.save_message(CHAT, &message(104, 101, 4, "Half an answer"))
        .unwrap();
    copies.put(&mut b, CHAT);
    merge_b(&copies, &mut a);
    assert_eq!(texts(&mut a, CHAT), with(&["Half an answer"]));
    assert!(CopyState::read(&mut a, CHAT).seen[&Id(B)] > seen);
}

/// The page that asks whether it needs to read the other copy goes by the states.
#[test]
fn an_answer_that_nobody_goes_on_with_comes_as_far_as_it_is_and_its_end_later() {
    let (mut a, mut b, mut copies) = two_browsers();
    b.begin_tail(CHAT, &message(104, 101, 4, "Half an"), None)
        .unwrap();
    copies.put(&mut b, CHAT);
    let copy = copies.last(B, CHAT).abandoned();
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(texts(&mut a, CHAT), with(&["Half an"]));
    b.save_message(CHAT, &message(104, 101, 4, "Half an answer"))
        .unwrap();
    copies.put(&mut b, CHAT);
    assert_ne!(chat_state(&a, CHAT), chat_state(&b, CHAT));
    merge_b(&copies, &mut a);
    assert_eq!(texts(&mut a, CHAT), with(&["Half an answer"]));
    assert_eq!(chat_state(&a, CHAT), chat_state(&b, CHAT));
}

#[test]
fn an_answer_that_runs_here_is_left_alone() {
    let (mut a, mut b, mut copies) = two_browsers();
    let answer = message(104, 101, 4, "");
    a.begin_tail(CHAT, &answer, None).unwrap();
    a.append_tail(CHAT, Id(104), 1, "Half").unwrap();
    copies.put(&mut a, CHAT);
    let copy = copies.last(A, CHAT).abandoned();
    copies.merge(&mut b, &copy).unwrap();
    copies.put(&mut b, CHAT);
    a.append_tail(CHAT, Id(104), 2, " an answer").unwrap();
    let before = records(&a);
    merge_b(&copies, &mut a);
    assert_eq!(records(&a), before);
    assert_eq!(texts(&mut a, CHAT), with(&["Half an answer"]));
    // What says something else waits until it has ended.
    let copy = copies.last(B, CHAT);
    let key = Key::Message(CHAT, 4, Id(104));
    let copy = with_line(copy, key, &message(104, 101, 4, "Another answer"));
    let other = TheirCopy {
        record: CopyRecord {
            write: 90,
            ..copy.record
        },
        ..copy
    };
    copies.merge(&mut a, &other).unwrap();
    assert_eq!(records(&a), before);
    assert_ne!(CopyState::read(&mut a, CHAT).seen[&Id(B)], 90);
}

/// A page without room was killed before the end was stored, or the profile was copied while the answer ran.
#[test]
fn the_end_of_an_answer_comes_from_another_browser_that_has_it() {
    let (mut a, mut b, mut copies) = two_browsers();
    a.begin_tail(CHAT, &message(104, 101, 4, "Half an"), None)
        .unwrap();
    let whole = message(104, 101, 4, "Half an answer");
    write(&mut b, CHAT, &whole);
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    for log in [&mut a, &mut b] {
        assert_eq!(texts(log, CHAT), with(&["Half an answer"]));
        assert_eq!(log.find_message(CHAT, Id(104)), Some(whole.clone()));
        assert!(!log.has_tail(CHAT));
    }
}

/// Of the old form: a damaged record replaced a healthy line.
#[test]
fn what_is_damaged_here_comes_again_and_what_is_damaged_there_says_nothing() {
    let (a, mut b, mut copies) = two_browsers();
    for key in [Key::Message(CHAT, 2, Id(102)), Key::Head(CHAT)] {
        let mut store = a.store().clone();
        let record = store.get(&key.to_string()).unwrap();
        store
            .set(
                &key.to_string(),
                &record.replace("\"created\"", "\"craeted\""),
            )
            .unwrap();
        let mut damaged = open_as(store, Id(A));
        merge_b(&copies, &mut damaged);
        assert_eq!(texts(&mut damaged, CHAT), with(&[]));
        assert_eq!(damaged.head(CHAT).unwrap().created, 5);
    }
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    copies.put(&mut b, CHAT);
    let copy = copies.last(B, CHAT);
    let copy = TheirCopy {
        lines: copy.lines.replace("And then", "Or then"),
        ..copy
    };
    let mut a = reopened(&a);
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(texts(&mut a, CHAT), with(&[]));
}

/// Of the old form: a number at its end wrapped, and a question was out of sight after a reload.
#[test]
fn lines_of_another_chat_and_numbers_at_their_end_are_not_taken() {
    let (mut a, _, copies) = two_browsers();
    let before = records(&a);
    let last = 36_u32.pow(6) - 1;
    let copy = copies.last(B, CHAT);
    let copy = with_line(
        copy,
        Key::Message(Id(8), 3, Id(103)),
        &message(103, 102, 3, "x"),
    );
    let copy = with_line(
        copy,
        Key::Message(CHAT, last, Id(104)),
        &message(104, 102, 3, "y"),
    );
    let copy = with_line(copy, Key::Segment(CHAT, 0), &message(105, 102, 3, "z"));
    let copy = TheirCopy {
        lines: copy.lines + "{\"key\":\"sash:m:\n{}\nnull\n\u{0}",
        ..copy
    };
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(records(&a), before);
}

#[test]
fn the_images_of_what_comes_are_named_before_it_is_written() {
    let (mut a, mut b, mut copies) = two_browsers();
    let image = |n| Image {
        hash: ImageHash([n; 32]),
        format: ImageFormat::Png,
        size: 9,
        width: 3,
        height: 2,
        preview: String::new(),
    };
    let question = Message {
        images: vec![image(1), image(2)],
        ..message(103, 102, 3, "Look")
    };
    write(&mut b, CHAT, &question);
    copies.put(&mut b, CHAT);
    let copy = copies.last(B, CHAT);
    let mut union = union_of(&mut a, &copy, &Gone::default());
    while union.step(&mut a) {}
    let named = BTreeSet::from([ImageHash([1; 32]), ImageHash([2; 32])]);
    assert_eq!(union.images(), named);
    union.finish(&mut a, NOW).unwrap();
    let mut union = union_of(&mut a, &copy, &Gone::default());
    while union.step(&mut a) {}
    assert!(union.images().is_empty());
}

/// An import may leave it out.
#[test]
fn the_preview_of_an_image_makes_no_other_message() {
    let (mut a, mut b, mut copies) = two_browsers();
    for (log, preview) in [(&mut a, "abc"), (&mut b, "")] {
        let image = Image {
            hash: ImageHash([1; 32]),
            format: ImageFormat::Png,
            size: 9,
            width: 3,
            height: 2,
            preview: preview.to_owned(),
        };
        let question = Message {
            images: vec![image],
            ..message(103, 102, 3, "Look")
        };
        write(log, CHAT, &question);
    }
    copies.put(&mut b, CHAT);
    let before = records(&a);
    merge_b(&copies, &mut a);
    assert_eq!(records(&a), before);
}

/// After each pause the person may have gone on.
#[test]
fn what_happens_here_meanwhile_stays() {
    let (mut a, mut b, mut copies) = two_browsers();
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    write(&mut b, CHAT, &message(104, 103, 4, "More"));
    change_head_of(&mut b, CHAT, |head| head.set_system("Be kind."));
    copies.put(&mut b, CHAT);
    let copy = copies.last(B, CHAT);
    let mut union = union_of(&mut a, &copy, &Gone::default());
    while union.step(&mut a) {}
    write(&mut a, CHAT, &message(203, 102, 3, "Asked meanwhile"));
    assert!(union.write_step(&mut a, NOW).unwrap());
    change_head_of(&mut a, CHAT, |head| {
        head.title = Some("Meanwhile".to_owned())
    });
    assert!(union.write_step(&mut a, NOW).unwrap());
    a.remove_message(CHAT, &message(104, 103, 4, "More"), NOW)
        .unwrap();
    a.purge_messages(CHAT, &[Id(104)], NOW).unwrap();
    union.finish(&mut a, NOW).unwrap();
    assert_eq!(texts(&mut a, CHAT), with(&["And then?", "Asked meanwhile"]));
    let head = a.head(CHAT).unwrap();
    assert_eq!(head.title.as_deref(), Some("Meanwhile"));
    assert_eq!(head.system_at(head.settings.system), Some("Be kind."));
    let written: BTreeSet<Key> = union
        .take_written()
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert!(written.contains(&Key::Head(CHAT)));
    assert!(written.contains(&Key::Message(CHAT, 3, Id(103))));

    // The chat as a whole is deleted for good.
    let mut union = union_of(
        &mut a,
        &with_line(
            copy,
            Key::Message(CHAT, 5, Id(105)),
            &message(105, 102, 5, "Late"),
        ),
        &Gone::default(),
    );
    assert!(union.write_step(&mut a, NOW).unwrap());
    a.delete(CHAT, NOW).unwrap();
    a.purge(CHAT, NOW);
    union.finish(&mut a, NOW).unwrap();
    assert!(!a.chat_keys()[&CHAT].has_something());
}

/// Each browser has its own numbers in the receipts, so no line is the one that is here.
#[test]
fn a_packed_chat_is_unpacked_once_however_many_of_its_messages_differ() {
    let reads = [200, 400].map(|count| {
        let (mut a, mut b) = (browser(A), browser(B));
        let mut copies = Copies::default();
        a.save_head(&Head::new(CHAT, 5)).unwrap();
        change_head_of(&mut a, CHAT, |head| {
            head.set_system("Be brief.");
            head.set_system("Be kind.");
        });
        for n in 1..=count {
            let answer = Message {
                receipt: Some(Receipt {
                    system: Some(1),
                    ..Receipt::default()
                }),
                ..message(
                    1000 + n,
                    0,
                    n as u32,
                    &format!("{n} {}", "words ".repeat(300)),
                )
            };
            write(&mut a, CHAT, &answer);
        }
        b.save_head(&Head::new(CHAT, 5)).unwrap();
        change_head_of(&mut b, CHAT, |head| head.set_system("Be kind."));
        write(&mut b, CHAT, &message(1, 0, 1, "First here"));
        copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
        for log in [&mut a, &mut b] {
            log.pack(CHAT).unwrap();
            assert!(log.chat_keys()[&CHAT].segments.len() > 3);
            copies.put(log, CHAT);
        }
        assert_ne!(copies.last(A, CHAT).lines, copies.last(B, CHAT).lines);
        let before = records(&a);
        a.store().reads.set(0);
        merge_b(&copies, &mut a);
        assert_eq!(records(&a), before);
        a.store().reads.get()
    });
    assert!(reads[1] <= 2 * reads[0] + 20, "{reads:?}");
}
