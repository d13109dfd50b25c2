//! Fields by their clocks, and the trash.

use super::frail::{Copies, FrailLog, change_head_of, messages, records, texts, write};
use super::{A, B, C, CHAT, NOW, browser, message, two_browsers};
use crate::clock::THIS_WRITE;
use crate::record::CopyState;
use sash_chat::{Head, Id, ModelId, Policy, Position};
use sash_log::Draft;
use sash_records::backup::{FormerValue, add_former_values, former_values};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_records::queue::{QueueLog, QueuedPrompt};

fn title(log: &mut FrailLog, title: &str) {
    change_head_of(log, CHAT, |head| head.title = Some(title.to_owned()));
}

fn titles(logs: [&mut FrailLog; 2]) -> [Option<String>; 2] {
    logs.map(|log| log.head(CHAT).unwrap().title)
}

/// The values that a browser offers again.
fn offered(log: &mut FrailLog) -> Vec<(String, String)> {
    let kept = former_values(&log.head(CHAT).unwrap().others).into_iter();
    kept.map(|kept| {
        let value = kept.value.unwrap_or_default();
        (kept.field, value.as_str().unwrap_or_default().to_owned())
    })
    .collect()
}

fn both(a: &mut FrailLog, b: &mut FrailLog, copies: &mut Copies) {
    copies.follow_all(&mut [a, b], &[CHAT]);
}

#[test]
fn the_later_change_of_a_field_counts_and_no_other_value_is_offered() {
    let (mut a, mut b, mut copies) = two_browsers();
    title(&mut a, "One");
    both(&mut a, &mut b, &mut copies);
    for (n, text) in ["Two", "Three", "Four", "One"].into_iter().enumerate() {
        let log = if n % 2 == 0 { &mut b } else { &mut a };
        title(log, text);
        change_head_of(log, CHAT, |head| head.pin(Id(101), n % 2 == 0));
        both(&mut a, &mut b, &mut copies);
        let expected = Some(text.to_owned());
        assert_eq!(titles([&mut a, &mut b]), [expected.clone(), expected]);
        let pins = if n % 2 == 0 { vec![Id(101)] } else { vec![] };
        assert_eq!(a.head(CHAT).unwrap().settings.pins, pins);
        assert_eq!(b.head(CHAT).unwrap().settings.pins, pins);
    }
    change_head_of(&mut b, CHAT, |head| head.title = None);
    both(&mut a, &mut b, &mut copies);
    assert_eq!(titles([&mut a, &mut b]), [None, None]);
    assert_eq!((offered(&mut a), offered(&mut b)), (vec![], vec![]));
}

#[test]
fn different_fields_that_two_browsers_change_are_both_changed() {
    let (mut a, mut b, mut copies) = two_browsers();
    change_head_of(&mut a, CHAT, |head| {
        head.settings.policy = Policy::Messages(7);
        head.pin(Id(101), true);
    });
    change_head_of(&mut b, CHAT, |head| {
        head.set_model(Some(ModelId::new(Some("box"), "big")));
        head.pin(Id(102), true);
        head.settings
            .parameters
            .insert("top_k".to_owned(), 3.into());
    });
    both(&mut a, &mut b, &mut copies);
    for log in [&mut a, &mut b] {
        let head = log.head(CHAT).unwrap();
        assert_eq!(head.settings.policy, Policy::Messages(7));
        assert_eq!(head.model.as_deref(), Some("big"));
        assert_eq!(head.settings.parameters["top_k"], 3);
        assert_eq!(head.settings.pins.len(), 2);
        assert_eq!(offered(log), []);
    }
}

/// Each value that gave way is offered in one browser: that which met the other one first, whichever of the two counts.
#[test]
fn where_two_browsers_change_a_field_the_value_that_gives_way_is_offered_once() {
    for (ours, theirs) in [("Lyon", "France"), ("France", "Lyon")] {
        let (mut a, mut b, mut copies) = two_browsers();
        title(&mut a, "At first");
        both(&mut a, &mut b, &mut copies);
        title(&mut a, ours);
        copies.put(&mut a, CHAT);
        title(&mut b, theirs);
        let merged = copies.merge(&mut b, &copies.last(A, CHAT)).unwrap();
        assert_eq!(merged.former.len(), 1);
        both(&mut a, &mut b, &mut copies);
        let [title, other] = titles([&mut a, &mut b]);
        assert_eq!(title, other);
        let title = title.unwrap();
        let loser = if title == ours { theirs } else { ours };
        assert!(title == ours || title == theirs);
        assert_eq!(offered(&mut b), [("title".to_owned(), loser.to_owned())]);
        assert_eq!(offered(&mut a), []);
    }
}

#[test]
fn where_both_hand_over_before_they_meet_the_value_that_gives_way_is_offered_too() {
    let (mut a, mut b, mut copies) = two_browsers();
    title(&mut a, "Lyon");
    title(&mut b, "France");
    copies.put(&mut a, CHAT);
    copies.put(&mut b, CHAT);
    both(&mut a, &mut b, &mut copies);
    let [title, other] = titles([&mut a, &mut b]);
    assert_eq!(title, other);
    let loser = if title.as_deref() == Some("Lyon") {
        "France"
    } else {
        "Lyon"
    };
    let all = [offered(&mut a), offered(&mut b)].concat();
    assert!(
        all.contains(&("title".to_owned(), loser.to_owned())),
        "{all:?}"
    );
    assert!(all.iter().all(|(_, value)| value == loser), "{all:?}");
}

/// Of the old form: values that gave way and models that wait came with a file.
#[test]
fn what_each_browser_keeps_for_itself_stays() {
    let (mut a, mut b, mut copies) = two_browsers();
    let position = |leaf| Position { leaf, seq: 9 };
    change_head_of(&mut a, CHAT, |head| head.at = Some(position(Id(102))));
    a.save_draft(CHAT, "Not sent", NOW).unwrap();
    let prompt = QueuedPrompt::new(Id(900), "Next");
    a.change_queue(CHAT, NOW, |queue| queue.push(prompt))
        .unwrap();
    change_head_of(&mut b, CHAT, |head| {
        head.at = Some(position(Id(101)));
        head.title = Some("A title".to_owned());
        let model = WaitingModel::new(Id(101), ModelId::new(None, "cloud"));
        WAITING_MODELS.extend(&mut head.others, [model]);
        let former = FormerValue {
            field: "system".to_owned(),
            value: Some("Be rude.".into()),
            at: 1,
        };
        add_former_values(head, [former]);
    });
    b.save_draft(CHAT, "Another draft", NOW).unwrap();
    copies.put(&mut b, CHAT);
    for mut log in [a, browser(C)] {
        let is_new = log.load(CHAT).is_none();
        copies.merge(&mut log, &copies.last(B, CHAT)).unwrap();
        let head: Head = log.head(CHAT).unwrap();
        assert_eq!(head.title.as_deref(), Some("A title"));
        assert_eq!(head.at, (!is_new).then(|| position(Id(102))));
        assert!(head.others.is_empty(), "{:?}", head.others);
        let draft: Draft = log.draft(CHAT);
        assert_eq!(draft.text, if is_new { "" } else { "Not sent" });
        assert_eq!(log.queue(CHAT).len(), usize::from(!is_new));
    }
}

/// A head that a browser could not read, or another version's value.
#[test]
fn a_field_whose_value_is_not_that_of_its_clock_is_left_alone() {
    let (mut a, mut b, mut copies) = two_browsers();
    title(&mut a, "A title");
    both(&mut a, &mut b, &mut copies);
    title(&mut b, "Another");
    copies.put(&mut b, CHAT);
    let mut copy = copies.last(B, CHAT);
    let before = records(&a);
    let lines = copy.lines.lines().filter(|line| !line.contains("sash:c:"));
    let without_head: String = lines.flat_map(|line| [line, "\n"]).collect();
    let whole = std::mem::replace(&mut copy.lines, without_head);
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(records(&a), before);
    copy.lines = whole;
    copy.record.fields.get_mut("title").unwrap().crc = "00000000".to_owned();
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(records(&a), before);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert_eq!(a.head(CHAT).unwrap().title.as_deref(), Some("Another"));
}

#[test]
fn a_copy_of_an_earlier_day_changes_no_field() {
    let (mut a, mut b, mut copies) = two_browsers();
    title(&mut b, "One");
    copies.put(&mut b, CHAT);
    let earlier = copies.last(B, CHAT);
    both(&mut a, &mut b, &mut copies);
    title(&mut b, "Two");
    both(&mut a, &mut b, &mut copies);
    a.delete(CHAT, NOW).unwrap();
    both(&mut a, &mut b, &mut copies);
    let before = records(&a);
    copies.merge(&mut a, &earlier).unwrap();
    assert_eq!(records(&a), before);
    assert!(a.is_deleted(CHAT) && b.is_deleted(CHAT));
}

#[test]
fn what_is_put_into_the_trash_or_taken_out_is_so_in_each_browser() {
    let (mut a, mut b, mut copies) = two_browsers();
    let answer = message(102, 101, 2, "An answer");
    a.remove_message(CHAT, &answer, NOW).unwrap();
    both(&mut a, &mut b, &mut copies);
    assert!(messages(&mut b, CHAT)[&Id(102)].in_trash);
    b.restore_message(CHAT, Id(102));
    both(&mut a, &mut b, &mut copies);
    assert!(!messages(&mut a, CHAT)[&Id(102)].in_trash);
    a.delete(CHAT, NOW).unwrap();
    both(&mut a, &mut b, &mut copies);
    assert!(b.is_deleted(CHAT) && b.can_restore(CHAT));
    // A browser that is new has it in the trash, too.
    let mut c = browser(C);
    copies.follow(&mut c, CHAT);
    assert!(c.can_restore(CHAT));
    b.restore(CHAT);
    copies.follow_all(&mut [&mut b, &mut a, &mut c], &[CHAT]);
    assert!(!a.is_deleted(CHAT) && !b.is_deleted(CHAT) && !c.is_deleted(CHAT));
}

#[test]
fn a_chat_in_the_trash_leaves_it_where_another_browser_has_a_new_message() {
    let (mut a, mut b, mut copies) = two_browsers();
    a.delete(CHAT, NOW).unwrap();
    copies.put(&mut a, CHAT);
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    copies.put(&mut b, CHAT);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert!(!a.is_deleted(CHAT));
    both(&mut a, &mut b, &mut copies);
    assert!(!a.is_deleted(CHAT) && !b.is_deleted(CHAT));
    // Now everybody knows of it: it goes to the trash, and stays there.
    a.delete(CHAT, NOW).unwrap();
    both(&mut a, &mut b, &mut copies);
    assert!(a.is_deleted(CHAT) && b.is_deleted(CHAT));
}

/// The other browser puts it into the trash and knows nothing of the message.
#[test]
fn a_chat_in_which_somebody_goes_on_does_not_go_to_the_trash() {
    let (mut a, mut b, mut copies) = two_browsers();
    b.begin_tail(CHAT, &message(104, 101, 4, "Half an"), None)
        .unwrap();
    a.delete(CHAT, NOW).unwrap();
    copies.put(&mut a, CHAT);
    copies.follow(&mut b, CHAT);
    assert!(!b.is_deleted(CHAT));
    b.save_message(CHAT, &message(104, 101, 4, "Half an answer"))
        .unwrap();
    both(&mut a, &mut b, &mut copies);
    for log in [&mut a, &mut b] {
        assert!(!log.is_deleted(CHAT));
        assert_eq!(texts(log, CHAT).len(), 3);
    }
}

#[test]
fn a_message_that_is_in_the_trash_elsewhere_is_no_news() {
    let (mut a, mut b, mut copies) = two_browsers();
    a.delete(CHAT, NOW).unwrap();
    copies.put(&mut a, CHAT);
    let question = message(103, 102, 3, "And then?");
    write(&mut b, CHAT, &question);
    b.remove_message(CHAT, &question, NOW).unwrap();
    copies.put(&mut b, CHAT);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert!(a.is_deleted(CHAT));
    assert!(messages(&mut a, CHAT)[&Id(103)].in_trash);
}

#[test]
fn a_change_that_is_not_handed_over_yet_is_counted_before_a_copy_is_merged() {
    let (mut a, mut b, mut copies) = two_browsers();
    title(&mut b, "Two");
    copies.put(&mut b, CHAT);
    change_head_of(&mut a, CHAT, |head| head.pin(Id(101), true));
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    let clocks = CopyState::read(&mut a, CHAT).fields;
    let pin = &clocks[&format!("pins/{}", Id(101))];
    assert_eq!((pin.count, pin.write), (1, THIS_WRITE));
    assert_eq!((clocks["title"].count, clocks["title"].write), (1, 0));
}
