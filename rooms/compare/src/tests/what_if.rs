//! The same question asked with another window.

use super::house::{House, reactive};
use crate::Comparison;
use reactive_graph::prelude::*;
use sash_chat::{AnswerFormat, Id, Policy, Think};
use sash_harness::{Machine, says, settle};
use sash_stores::{OtherWindow, WhatIfDifference};
use sash_wire::ChatRequest;
use serde_json::json;

/// Creates two exchanges and asks the second question again without context. Returns both of its
/// answers.
fn compare(machine: &Machine, house: House) -> (Id, Id) {
    house.exchange(machine, "Hi", "Hello");
    let (_, answer) = house.exchange(machine, "More", "Enough");
    machine.answer(says(&["What of?"]));
    let none = OtherWindow::Rule(Policy::Messages(0));
    assert!(house.compare.try_other(answer, none));
    machine.pass(100.0);
    match house.compare.shown.get_untracked() {
        Comparison::Windows { first, second, .. } => (first, second),
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
        let policy = house
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.policy);
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
        assert_eq!(
            house.compare.other_window(answer, without).ids(),
            [question]
        );
        machine.answer(says(&["What of?"]));
        assert!(house.compare.try_other(answer, without));
        machine.pass(100.0);
        let sent = machine.requests.borrow().last().cloned();
        let sent = sent.map(|request| request.messages()).unwrap_or_default();
        let said: Vec<&str> = sent.iter().map(|m| m.content.as_str()).collect();
        assert!(!said.concat().contains("Hello"), "{said:?}");
        let muted = house
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.mutes.clone());
        assert!(muted.is_empty(), "it was only tried");
    });
}

fn last_request(machine: &Machine) -> ChatRequest {
    let last = machine.requests.borrow().last().cloned();
    last.unwrap_or_default()
}

/// Asks the question of an answer again without context.
fn try_alone(machine: &Machine, house: House, answer: Id) -> ChatRequest {
    machine.answer(says(&["What of?"]));
    let none = OtherWindow::Rule(Policy::Messages(0));
    assert!(house.compare.try_other(answer, none));
    machine.pass(100.0);
    last_request(machine)
}

#[test]
fn an_answer_without_a_receipt_is_tried_with_what_the_chat_has_now_and_that_is_said() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let (_, answer) = house.exchange(machine, "More", "Enough");
        house.chats.open.update(|chat| {
            let mut old = chat.get(answer).cloned().unwrap();
            old.receipt = None;
            chat.insert(old);
        });
        house.steering.set_format(Some(AnswerFormat::Json));
        assert_eq!(
            house.compare.differences_from(answer),
            [WhatIfDifference::NotRecorded]
        );
        let second = try_alone(machine, house, answer);
        assert_eq!(second.format, Some(json!("json")));
    });
}

#[test]
fn the_comparison_closes_when_another_chat_is_opened() {
    reactive(|machine, house| {
        compare(machine, house);
        house.chats.begin_chat();
        assert_eq!(house.compare.shown.get_untracked(), Comparison::Closed);
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
        assert!(!house.compare.try_other(answer, all));
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), asked);
    });
}

#[test]
fn no_window_is_chosen_while_an_answer_runs() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        house.compare.choose_window(answer);
        let choice = Comparison::OtherWindow(answer);
        assert_eq!(house.compare.shown.get_untracked(), choice);
        house.compare.close();
        assert!(house.answers.ask("Long".to_owned()));
        house.compare.choose_window(answer);
        assert_eq!(house.compare.shown.get_untracked(), Comparison::Closed);
    });
}

/// Everything that the answer had read was sent again, also what was muted since.
#[test]
fn without_one_message_what_was_muted_since_does_not_go_either() {
    reactive(|machine, house| {
        house.steering.set_policy(Policy::Everything);
        let (muted, left_out) = house.exchange(machine, "A secret", "Hello");
        let (_, answer) = house.exchange(machine, "More", "Enough");
        house.steering.mute(muted, true);
        let without = OtherWindow::Without(left_out);
        assert_eq!(house.compare.other_window(answer, without).ids(), []);
    });
}

#[test]
fn another_window_is_tried_with_the_thinking_of_the_first_answer() {
    reactive(|machine, house| {
        house.choose_thinker(machine, &[Think::On, Think::Off]);
        house.steering.set_think(Some(Think::Off));
        let (_, answer) = house.exchange(machine, "Why?", "Because.");
        house.steering.set_think(Some(Think::On));
        let other = OtherWindow::Rule(Policy::Everything);
        assert!(house.compare.try_other(answer, other));
        settle();
        let think = machine.requests.borrow().last().map(|r| r.think.clone());
        assert_eq!(think, Some(Some(Think::Off.json())));
    });
}
