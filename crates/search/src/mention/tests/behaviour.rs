//! The rules of the offer, one per test.

use super::filler;
use crate::MessageIndex;
use crate::mention::Mention;
use crate::tests::add;
use sash_chat::Id;

const TALK: [&str; 10] = [
    "Which algorithm finds the shortest way through a road map?",
    "Dijkstra's algorithm with a priority queue; with a good heuristic, A*.",
    "How do I store the road map?",
    "As an adjacency list: for each crossing its streets and their lengths.",
    "And turn restrictions?",
    "Make each street a node and each permitted turn an edge.",
    "What should the page look like?",
    "A full-width map, the search box on top of it, the route in a panel on the left.",
    "Which colours for the route?",
    "A blue with strong contrast to green parks and yellow motorways.",
];

fn talk() -> MessageIndex {
    let mut index = MessageIndex::default();
    for (at, text) in TALK.iter().enumerate() {
        add(
            &mut index,
            Id(0),
            Id(at as u64 + 1),
            text,
            at as u64 * 60_000,
        );
    }
    index
}

fn ask(index: &MessageIndex, draft: &str, window_from: u64) -> Option<Mention> {
    index
        .all()
        .mentioned(draft, &|id| id.0 >= window_from, &|_| true)
}

#[test]
fn a_name_outside_the_window_is_offered_with_the_word_that_says_so() {
    assert_eq!(
        ask(&talk(), "does the Dijkstra search stop early", 8),
        Some(Mention {
            id: Id(2),
            words: vec!["Dijkstra".to_owned()]
        })
    );
}

/// In a chat of a few messages no word is rare, and the first question that forgot something got no suggestion.
#[test]
fn from_the_first_message_that_left_what_was_said_is_offered() {
    let fact_and_question = [
        ("My code word is marmalade.", "What is my code word?"),
        ("My name is Ada.", "What is my name?"),
        ("Mein Kennwort ist Marmelade.", "Was ist mein Kennwort?"),
        ("The meeting is on Friday at nine.", "When is the meeting?"),
    ];
    let others = [
        "Noted.",
        "Why is the sky blue?",
        "Because air scatters short waves more.",
        "Plan a quick dinner.",
        "Pasta with tomatoes and basil.",
    ];
    for (fact, question) in fact_and_question {
        // With four messages the first one has left a window of three.
        for messages in [4, 6] {
            let mut index = MessageIndex::default();
            let talk = [fact].into_iter().chain(others).take(messages);
            for (at, text) in (0..).zip(talk) {
                add(&mut index, Id(0), Id(at + 1), text, at * 60_000);
            }
            let window_from = messages as u64 - 2;
            let found = ask(&index, question, window_from);
            assert_eq!(found.map(|found| found.id), Some(Id(1)), "{question}");
            for other in [
                "Why is grass green?",
                "thanks, go on",
                "Write a poem about autumn",
            ] {
                assert_eq!(ask(&index, other, window_from), None, "{other}");
            }
        }
    }
}

#[test]
fn nothing_is_offered_that_the_window_holds() {
    assert_eq!(ask(&talk(), "does the Dijkstra search stop early", 2), None);
    assert_eq!(ask(&talk(), "does the Dijkstra search stop early", 1), None);
}

/// A visible message already has the word, so another one with it does not help the model.
#[test]
fn a_word_that_the_window_holds_tells_nothing() {
    let mut index = talk();
    add(
        &mut index,
        Id(0),
        Id(11),
        "Dijkstra is fast enough.",
        700_000,
    );
    assert_eq!(ask(&index, "does the Dijkstra search stop early", 11), None);
}

#[test]
fn what_may_not_be_offered_is_not() {
    let found = talk()
        .all()
        .mentioned("does Dijkstra stop early", &|id| id.0 > 7, &|id| {
            id != Id(2)
        });
    assert_eq!(found, None);
}

#[test]
fn with_an_empty_window_everything_can_be_offered() {
    let found = talk()
        .all()
        .mentioned("the adjacency list for each crossing", &|_| false, &|_| {
            true
        });
    assert_eq!(found.map(|found| found.id), Some(Id(4)));
}

#[test]
fn talk_about_talk_refers_to_nothing() {
    for draft in [
        "",
        " ",
        "?",
        "thanks",
        "go on",
        "explain that in more detail",
        "42",
        "a b c",
    ] {
        assert_eq!(ask(&talk(), draft, 8), None, "{draft}");
    }
}

#[test]
fn nothing_is_in_an_empty_index() {
    assert!(MessageIndex::default().is_empty());
    assert_eq!(
        ask(&MessageIndex::default(), "the Dijkstra you mentioned", 1),
        None
    );
}

#[test]
fn words_that_are_everywhere_refer_to_nothing() {
    let mut index = MessageIndex::default();
    for at in 0..60 {
        add(
            &mut index,
            Id(0),
            Id(at + 1),
            "The compiler reports another lifetime error in the parser.",
            at * 60_000,
        );
    }
    assert_eq!(
        ask(
            &index,
            "the compiler reports a lifetime error in the parser",
            58
        ),
        None
    );
}

#[test]
fn scripts_without_spaces_are_compared_too() {
    let mut index = talk();
    add(
        &mut index,
        Id(0),
        Id(11),
        "可以用倒排索引来加快全文搜索。",
        700_000,
    );
    add(&mut index, Id(0), Id(12), "好的", 710_000);
    let found = ask(&index, "倒排索引怎么建", 12);
    assert_eq!(found.map(|found| found.id), Some(Id(11)));
}

/// Ids may have any order.
#[test]
fn ids_need_no_order() {
    let mut index = MessageIndex::default();
    for (at, text) in TALK.iter().enumerate() {
        add(&mut index, Id(0), Id(u64::MAX - at as u64 * 7), text, 0);
    }
    let visible = |id: Id| id.0 <= u64::MAX - 7 * 7;
    let found = index
        .all()
        .mentioned("does Dijkstra stop early", &visible, &|_| true);
    assert_eq!(found.map(|found| found.id), Some(Id(u64::MAX - 7)));
}

/// A clock that is set back does not end a sitting.
#[test]
fn a_clock_may_run_backwards() {
    let mut index = MessageIndex::default();
    for (at, text) in TALK.iter().enumerate() {
        add(
            &mut index,
            Id(0),
            Id(at as u64 + 1),
            text,
            10_000_000_000 - at as u64 * 86_400_000,
        );
    }
    add(&mut index, Id(0), Id(11), "ok", u64::MAX);
    assert_eq!(
        ask(&index, "does Dijkstra stop early", 8).map(|found| found.id),
        Some(Id(2))
    );
}

/// The first of many messages is found as reliably as one of the last.
#[test]
fn a_reference_is_found_among_thousands() {
    let mut index = talk();
    for (at, text) in (0..).zip(filler::messages(5_000)) {
        add(&mut index, Id(0), Id(at + 100), &text, at * 600_000);
    }
    assert_eq!(index.len(), 5_010);
    let found = ask(&index, "the adjacency list of streets you suggested", 5_090);
    assert_eq!(found.map(|found| found.id), Some(Id(4)));
}
