//! The same question asked with another window.

use crate::house::{House, reactive, says};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_chat::{Id, Policy};
use sash_state::{OtherWindow, WhatIfState};

/// Creates two exchanges and asks the second question again without context. Returns both of its
/// answers.
fn compare(machine: &Machine, house: House) -> (Id, Id) {
    house.exchange(machine, "Hi", "Hello");
    let (_, answer) = house.exchange(machine, "More", "Enough");
    machine.answer(says(&["What of?"]));
    let none = OtherWindow::Rule(Policy::Messages(0));
    assert!(house.what_if.try_other(answer, none));
    machine.pass(100.0);
    match house.what_if.state.get_untracked() {
        WhatIfState::Comparing(first, second) => (first, second),
        state => panic!("{state:?}"),
    }
}

fn content(house: House, id: Id) -> Option<String> {
    house.chats.message(id).map(|message| message.content)
}

#[test]
fn both_answers_are_there_and_the_branch_stays_where_it_was() {
    reactive(|machine, house| {
        let (first, second) = compare(machine, house);
        let sent = machine.requests.borrow().last().cloned();
        assert_eq!(sent.map(|request| request.context.len()), Some(0));
        assert_eq!(content(house, first).as_deref(), Some("Enough"));
        assert_eq!(content(house, second).as_deref(), Some("What of?"));
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
        let policy = house.chats.open.with_untracked(|chat| chat.head.policy);
        assert_eq!(policy, Policy::default(), "the chat keeps its own rule");
        assert_eq!(House::new(machine).texts()[3], "Enough");
    });
}

#[test]
fn the_other_answer_is_kept_by_walking_to_it() {
    reactive(|machine, house| {
        let (_, second) = compare(machine, house);
        house.chats.walk_to(second);
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "What of?"]);
        assert_eq!(House::new(machine).texts()[3], "What of?");
        house.exchange(machine, "Then?", "Now.");
        assert_eq!(house.texts()[3..], ["What of?", "Then?", "Now."]);
    });
}

#[test]
fn a_question_is_asked_again_without_one_of_the_messages_that_were_read() {
    reactive(|machine, house| {
        let (question, left_out) = house.exchange(machine, "Hi", "Hello");
        let (_, answer) = house.exchange(machine, "More", "Enough");
        let without = OtherWindow::Without(left_out);
        assert_eq!(house.what_if.would_read(answer, without), [question]);
        machine.answer(says(&["What of?"]));
        assert!(house.what_if.try_other(answer, without));
        machine.pass(100.0);
        let sent = machine.requests.borrow().last().cloned();
        let sent = sent.map(|request| request.messages()).unwrap_or_default();
        let said: Vec<&str> = sent.iter().map(|m| m.content.as_str()).collect();
        assert!(!said.concat().contains("Hello"), "{said:?}");
        let muted = house
            .chats
            .open
            .with_untracked(|chat| chat.head.mutes.clone());
        assert!(muted.is_empty(), "it was only tried");
    });
}

#[test]
fn the_comparison_closes_when_another_chat_is_opened() {
    reactive(|machine, house| {
        compare(machine, house);
        house.chats.begin_chat();
        assert_eq!(house.what_if.state.get_untracked(), WhatIfState::Closed);
    });
}

#[test]
fn nothing_is_tried_while_an_answer_runs() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        let asked = machine.requests.borrow().len();
        let all = OtherWindow::Rule(Policy::Everything);
        assert!(!house.what_if.try_other(answer, all));
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), asked);
    });
}
