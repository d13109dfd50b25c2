//! Tests of branches and titles, also with damaged records.

use super::*;
use crate::{Outcome, Position, Role};

fn chat() -> Chat {
    Chat::new(Head::new(Id(1), 0))
}

fn message(id: u64, parent: u64, role: Role, content: &str) -> Message {
    let parent = (parent > 0).then_some(Id(parent));
    Message {
        content: content.into(),
        ..Message::new(Id(id), parent, u32::try_from(id).unwrap(), role, 0)
    }
}

fn branched() -> Chat {
    let mut chat = chat();
    chat.insert(message(1, 0, Role::User, "first question"));
    chat.insert(message(2, 1, Role::Assistant, "a"));
    chat.insert(message(3, 2, Role::User, "follow-up"));
    chat.insert(message(4, 3, Role::Assistant, "b"));
    chat.insert(message(5, 1, Role::Assistant, "a again"));
    chat
}

fn ids(path: &[&Message]) -> Vec<u64> {
    path.iter().map(|m| m.id.0).collect()
}

#[test]
fn asking_again_is_a_branch_and_the_newest_leads() {
    let chat = branched();
    assert_eq!(ids(&chat.path()), [1, 5]);
    assert_eq!(chat.tree.versions(Id(5)), [Id(2), Id(5)]);
    assert_eq!(chat.tree.forks(chat.head.at), [Id(5)]);
    assert_eq!(chat.len(), 5);
}

#[test]
fn walking_to_an_older_branch_shows_all_of_it_until_something_newer_is_written() {
    let mut chat = branched();
    chat.head.at = chat.tree.position_through(Id(2));
    assert_eq!(ids(&chat.path()), [1, 2, 3, 4]);
    chat.insert(message(6, 4, Role::User, "more"));
    assert_eq!(ids(&chat.path()), [1, 2, 3, 4, 6]);
}

#[test]
fn a_message_is_found_among_those_of_its_branch() {
    let chat = branched();
    let sent = [Id(1), Id(3), Id(4)];
    let found = (0..=9).filter(|id| chat.tree.is_among(Id(*id), &sent));
    assert_eq!(found.collect::<Vec<_>>(), [1, 3, 4]);
    assert!(!chat.tree.is_among(Id(1), &[]));
}

#[test]
fn a_position_whose_message_is_gone_is_ignored() {
    let mut chat = branched();
    chat.head.at = Some(Position {
        leaf: Id(99),
        seq: 99,
    });
    assert_eq!(ids(&chat.path()), [1, 5]);
}

#[test]
fn damaged_parents_never_make_the_walk_endless() {
    let mut chat = chat();
    chat.insert(message(1, 2, Role::User, "x"));
    chat.insert(message(2, 1, Role::Assistant, "y"));
    chat.insert(message(3, 77, Role::User, "z"));
    assert_eq!(ids(&chat.path()), [1, 2, 3]);
    assert_eq!(ids(&chat.path_to(Some(Id(2)))), [1, 2]);
}

#[test]
fn a_lost_message_hides_nothing_that_led_to_it() {
    let mut chat = chat();
    chat.insert(message(1, 0, Role::User, "question"));
    chat.insert(message(3, 2, Role::User, "its answer is lost"));
    chat.insert(message(4, 3, Role::Assistant, "answer"));
    assert_eq!(ids(&chat.path()), [1, 3, 4]);
    chat.head.at = chat.tree.position_through(Id(1));
    assert_eq!(ids(&chat.path()), [1, 3, 4]);
}

#[test]
fn titles_come_from_the_person_or_the_first_question() {
    let mut chat = chat();
    assert_eq!(chat.title(), "New chat");
    chat.insert(message(
        1,
        0,
        Role::User,
        "\n  How do I sort a list of dictionaries by one of their values in Python?\nPlease",
    ));
    assert_eq!(
        chat.title(),
        "How do I sort a list of dictionaries by one of their values…"
    );
    chat.head.title = Some("Sorting".into());
    assert_eq!(chat.title(), "Sorting");
}

#[test]
fn half_an_answer_is_sent_whatever_ended_it_and_an_empty_one_never() {
    let mut m = message(1, 0, Role::Assistant, "half an answer");
    for outcome in [
        Outcome::Complete,
        Outcome::Stopped,
        Outcome::Interrupted,
        Outcome::CutOff,
        Outcome::failed("the runner died"),
    ] {
        m.outcome = outcome;
        m.content = "half an answer".into();
        assert!(m.is_sendable(), "{:?}", m.outcome);
        // The last was sent once, although the page says that the answer has no text.
        for nothing in [" \n", "\u{200b}", "\u{feff}\n\u{ad}"] {
            m.content = nothing.into();
            assert!(!m.is_sendable(), "{:?}, {nothing:?}", m.outcome);
        }
    }
}

#[test]
fn a_deleted_message_is_on_no_branch_and_what_followed_it_stays_where_it_was() {
    let mut chat = branched();
    chat.head.at = chat.tree.position_through(Id(2));
    chat.remove(Id(2), true);
    assert_eq!(ids(&chat.path()), [1, 3, 4]);
    assert_eq!(chat.tree.versions(Id(5)), [Id(5)]);
    assert_eq!(chat.messages().count(), 4);
    assert_eq!(chat.next_seq(), 6);
    chat.remove(Id(1), true);
    assert_eq!(chat.title(), "follow-up");
    chat.remove(Id(1), false);
    chat.remove(Id(2), false);
    assert_eq!(ids(&chat.path()), [1, 2, 3, 4]);
}

#[test]
fn deleting_the_end_of_a_branch_stays_on_it() {
    let mut chat = branched();
    chat.head.at = chat.tree.position_through(Id(2));
    chat.remove(Id(4), true);
    assert_eq!(ids(&chat.path()), [1, 2, 3]);
    chat.remove(Id(3), true);
    assert_eq!(ids(&chat.path()), [1, 2]);
    // Once the other version of its ancestor is deleted, one branch is left.
    chat.remove(Id(2), true);
    assert_eq!(ids(&chat.path()), [1, 5]);
}

#[test]
fn without_the_newest_answer_the_one_before_it_is_read() {
    let mut chat = branched();
    chat.remove(Id(5), true);
    assert_eq!(ids(&chat.path()), [1, 2, 3, 4]);
    chat.head.at = chat.tree.position_through(Id(2));
    chat.remove(Id(4), true);
    assert_eq!(ids(&chat.path()), [1, 2, 3]);
    for id in [1, 2, 3] {
        chat.remove(Id(id), true);
    }
    assert_eq!((chat.leaf(), chat.is_empty()), (None, false));
}

#[test]
fn a_fresh_start_after_a_deleted_message_stands_before_it_until_the_message_is_back() {
    let mut chat = branched();
    chat.head.settings.cleared = vec![Id(4)];
    let starts = |chat: &Chat| chat.effective_head(&chat.head).settings.cleared.clone();
    assert_eq!(starts(&chat), [Id(4)]);
    chat.remove(Id(4), true);
    assert_eq!(starts(&chat), [Id(3)]);
    chat.remove(Id(3), true);
    assert_eq!(starts(&chat), [Id(2)]);
    // Restored in another order than deleted.
    chat.remove(Id(4), false);
    assert_eq!(starts(&chat), [Id(4)]);
    chat.remove(Id(3), false);
    assert_eq!(
        (starts(&chat), chat.head.settings.cleared.clone()),
        (vec![Id(4)], vec![Id(4)])
    );
    // With no ancestor left the clearing has no effect.
    for id in 1..=5 {
        chat.remove(Id(id), true);
    }
    assert_eq!(starts(&chat), []);
    assert_eq!(chat.tree.fresh_start(Id(99)), None);
}
