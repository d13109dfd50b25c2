//! The answers that run in other tabs, and how they are taken over.

use reactive_graph::prelude::*;
use sash_chat::{Message, Outcome};
use sash_harness::{House, says, settle, text, two_tabs};

fn last_outcome(house: House) -> Option<Outcome> {
    let last = house.chats.open.with_untracked(|c| c.newest().cloned());
    last.map(|message| message.outcome)
}

#[test]
fn an_answer_of_another_tab_grows_here_and_nobody_else_answers_meanwhile() {
    two_tabs(|machine, house, there, other| {
        let frames = there.stream_answer();
        assert!(other.answers.ask("Long".to_owned()));
        frames.unbounded_send(text("Once")).ok();
        there.pass(1500.0);
        machine.tell(house.tabs);
        let chat = house.chat();
        assert!(house.remote.contains(chat) && house.remote.is_held(chat));
        assert!(!house.answers.can_send());
        assert_eq!(house.texts(), ["Hi", "Hello", "Long", "Once"]);
        for frame in says(&[" upon a time"]) {
            frames.unbounded_send(frame).ok();
        }
        there.pass(100.0);
        machine.tell(house.tabs);
        assert!(!house.remote.contains(chat));
        assert!(house.answers.can_send());
        assert_eq!(house.texts()[3], "Once upon a time");
        assert_eq!(last_outcome(house), Some(Outcome::Complete));
    });
}

#[test]
fn an_answer_that_is_taken_over_stops_there_and_keeps_what_came() {
    two_tabs(|machine, house, there, other| {
        let frames = there.stream_answer();
        assert!(other.answers.ask("Long".to_owned()));
        frames.unbounded_send(text("Half")).ok();
        there.pass(100.0);
        machine.tell(house.tabs);
        let chat = house.chat();
        house.answers.take_over(chat);
        settle();
        machine.tell(house.tabs);
        assert!(!other.answers.runs_in(chat));
        assert!(frames.is_closed(), "the request there has ended");
        assert!(house.answers.can_send());
        assert_eq!(house.texts(), ["Hi", "Hello", "Long", "Half"]);
        assert_eq!(last_outcome(house), Some(Outcome::Stopped));
        house.exchange(machine, "Mine", "Yours");
        there.tell(other.tabs);
        assert_eq!(other.texts().len(), 6);
    });
}

#[test]
fn a_tab_that_is_closed_while_it_answers_leaves_an_interrupted_answer() {
    two_tabs(|machine, house, there, other| {
        there.hold_open(vec![text("Half")]);
        assert!(other.answers.ask("Long".to_owned()));
        there.pass(1500.0);
        machine.tell(house.tabs);
        assert!(!house.answers.can_send());
        there.close_tab();
        // It does not return, and the server does not know the answer.
        machine.pass(4_000.0);
        assert!(house.answers.can_send());
        assert_eq!(house.texts(), ["Hi", "Hello", "Long", "Half"]);
        assert_eq!(last_outcome(house), Some(Outcome::Interrupted));
    });
}

/// A browser may tell a tab in the background late of what another one wrote last: for three seconds after the answer was
/// shown as complete, nothing could be asked.
#[test]
fn an_answer_whose_end_is_heard_after_its_lock_was_released_holds_the_chat_no_longer() {
    two_tabs(|machine, house, there, other| {
        there.hold_open(vec![text("Half")]);
        assert!(other.answers.ask("Long".to_owned()));
        there.pass(1500.0);
        machine.tell(house.tabs);
        let chat = house.chat();
        let unfinished = house.chats.open.with_untracked(|c| c.newest().cloned());
        there.close_tab();
        machine.pass(100.0);
        assert!(house.remote.is_held(chat), "its tab may come back");
        let whole = Message {
            outcome: Outcome::Complete,
            ..unfinished.unwrap()
        };
        other.storage.write(|log| log.save_message(chat, &whole));
        machine.tell(house.tabs);
        assert!(!house.remote.contains(chat));
        assert!(house.answers.can_send());
        assert_eq!(last_outcome(house), Some(Outcome::Complete));
    });
}

#[test]
fn a_tab_that_is_opened_while_another_answers_knows_it() {
    two_tabs(|machine, house, there, other| {
        there.hold_open(vec![text("Half")]);
        assert!(other.answers.ask("Long".to_owned()));
        there.pass(1500.0);
        let late = House::new(&machine.another_tab());
        settle();
        assert!(late.remote.is_held(house.chat()));
        assert!(!late.answers.can_send());
        // After the tab crashed, its leftover tail does not count as a running answer.
        there.close_tab();
        let after = House::new(&machine.another_tab());
        settle();
        assert!(after.answers.can_send());
        assert_eq!(after.texts()[3], "Half");
    });
}

#[test]
fn without_locks_an_answer_elsewhere_is_over_when_nothing_was_heard_of_it_for_15_seconds() {
    two_tabs(|machine, house, there, other| {
        machine.without_locks.set(true);
        let frames = there.stream_answer();
        assert!(other.answers.ask("Long".to_owned()));
        machine.tell(house.tabs);
        let chat = house.chat();
        for _ in 0..3 {
            machine.pass(10_000.0);
            assert!(house.remote.contains(chat), "it goes on");
            frames.unbounded_send(text("more ")).ok();
            there.pass(1100.0);
            machine.tell(house.tabs);
        }
        assert!(house.answers.can_send(), "nobody can know: both may");
        machine.pass(15_000.0);
        assert!(!house.remote.contains(chat));
    });
}

#[test]
fn an_answer_that_is_asked_for_while_the_lock_is_looked_at_is_not_taken_for_another_tabs() {
    two_tabs(|machine, house, there, other| {
        // One that ends with its tab, so that its tail stays.
        machine.without_locks.set(true);
        there.hold_open(vec![text("Half")]);
        assert!(other.answers.ask("Long".to_owned()));
        there.pass(1500.0);
        machine.without_locks.set(false);
        there.close_tab();
        machine.tell(house.tabs);
        let chat = house.chat();
        house.chats.begin_chat();
        settle();
        let looked_at = machine.slow_lock_query();
        house.chats.open_chat(chat);
        settle();
        machine.hold_open(vec![text("Mine")]);
        assert!(house.answers.ask("And here?".to_owned()));
        settle();
        looked_at.send(()).unwrap();
        settle();
        assert!(!house.remote.contains(chat));
    });
}
