//! Of several tabs one reads an answer and writes it: the one that holds the chat's lock.

use crate::answers::loaded;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Outcome;
use sash_harness::{House, Machine, reactive, says, settle, text, two_tabs};
use sash_stores::Wait;
use sash_wire::Fault;

/// The time that a tab has to return before another one goes on with its answer.
const RETURN_MS: f64 = 3_000.0;

fn last(house: House) -> (Outcome, String) {
    house.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        let last = last.unwrap_or_else(|| panic!("a message"));
        (last.outcome.clone(), last.content.clone())
    })
}

/// Has the other tab begin an answer that this one knows of.
fn begun_there(machine: &Machine, house: House, there: &Machine, other: House) {
    there.hold_open(vec![text("Half ")]);
    assert!(other.answers.ask("Long".to_owned()));
    there.pass(1500.0);
    machine.tell(house.tabs);
    assert!(house.remote.is_held(house.chat()));
}

#[test]
fn a_tab_that_opens_while_another_one_writes_follows_it() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        let late = House::reopened(&machine.another_tab(), Some(house.chat()));
        machine.pass(10_000.0);
        assert!(machine.resumed.borrow().is_empty());
        assert!(late.remote.is_held(late.chat()));
        assert!(!late.answers.is_any_busy() && !late.answers.can_send());
        assert_eq!(last(late), (Outcome::Interrupted, "Half ".to_owned()));
    });
}

/// It said only that it waits.
#[test]
fn a_question_that_waits_for_an_answer_of_another_tab_names_its_chat() {
    two_tabs(|machine, house, there, other| {
        *machine.found.borrow_mut() = Some(Ok(loaded(true)));
        house.engine.refresh();
        settle();
        begun_there(machine, house, there, other);
        let title = house.chats.title_outside(house.chat());
        house.chats.begin_chat();
        machine.hold_open(Vec::new());
        assert!(house.answers.ask("Short".to_owned()));
        machine.pass(3_000.0);
        let (chat, id) = house.answers.answering.with_untracked(|all| {
            let first = all.iter().next();
            first.map(|(chat, id)| (*chat, *id)).unwrap()
        });
        assert_eq!(chat, house.chat());
        let model = house
            .chats
            .message(id)
            .and_then(|message| message.model_id());
        let wait = untrack(|| house.answers.wait_of(id, &model.unwrap()));
        let Wait::Behind(ahead) = wait else {
            panic!("{wait:?}");
        };
        assert_eq!(ahead.title, title);
        assert!(house.remote.contains(ahead.chat));
    });
}

#[test]
fn a_tab_that_is_reloaded_goes_on_with_its_own_answer() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        there.close_tab();
        settle();
        there.rest(says(&["and whole"]));
        let again = House::reopened(&machine.another_tab(), Some(house.chat()));
        machine.pass(2.0 * RETURN_MS);
        assert_eq!(
            last(again),
            (Outcome::Complete, "Half and whole".to_owned())
        );
        machine.tell(house.tabs);
        machine.pass(2.0 * RETURN_MS);
        assert_eq!(machine.resumed.borrow().len(), 1, "one reads");
        assert_eq!(
            last(house),
            (Outcome::Complete, "Half and whole".to_owned())
        );
        assert!(house.answers.can_send());
    });
}

#[test]
fn another_tab_goes_on_with_the_answer_of_a_tab_that_does_not_return() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        let third = machine.another_tab().another_tab();
        let last_tab = House::reopened(&third, Some(house.chat()));
        there.close_tab();
        machine.rest(says(&["and whole"]));
        machine.pass(RETURN_MS - 100.0);
        assert!(machine.resumed.borrow().is_empty());
        assert!(!house.answers.can_send(), "it may return");
        machine.pass(1_000.0);
        assert_eq!(machine.resumed.borrow().len(), 1, "one reads");
        machine.tell(house.tabs);
        third.tell(last_tab.tabs);
        machine.pass(2.0 * RETURN_MS);
        for tab in [house, last_tab] {
            assert_eq!(last(tab), (Outcome::Complete, "Half and whole".to_owned()));
            assert!(tab.answers.can_send());
        }
    });
}

/// Holds `Answers::resume`: once its chat is held the answer is read anew from the log.
#[test]
fn an_answer_that_another_tab_has_ended_before_its_chat_was_free_is_not_asked_for_again() {
    reactive(|machine, house| {
        machine.hold_open(vec![text("Half ")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(1500.0);
        machine.close_tab();
        machine.rest(says(&["and whole"]));
        // Both read the log before either of them holds the chat.
        let machines = [machine.another_tab(), machine.another_tab().another_tab()];
        let tabs = machines
            .each_ref()
            .map(|tab| House::starting(tab, Some(house.chat())));
        machine.pass(100.0);
        assert_eq!(machine.resumed.borrow().len(), 1);
        for (machine, tab) in machines.iter().zip(tabs) {
            machine.tell(tab.tabs);
            assert_eq!(last(tab), (Outcome::Complete, "Half and whole".to_owned()));
        }
    });
}

#[test]
fn an_answer_that_is_taken_over_is_stopped_at_the_server_even_if_its_tab_is_suspended() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        let id = machine
            .answer_ids
            .borrow()
            .last()
            .copied()
            .flatten()
            .unwrap();
        there.close_tab();
        house.answers.take_over(house.chat());
        settle();
        assert!(machine.stopped.borrow().contains(&id));
        machine.pass(2.0 * RETURN_MS);
        assert_eq!(last(house), (Outcome::Interrupted, "Half ".to_owned()));
        assert!(house.answers.can_send());
    });
}

#[test]
fn an_answer_whose_message_another_tab_deletes_is_stopped() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        let answer = house
            .chats
            .path
            .with_untracked(|path| *path.last().unwrap());
        house.chats.delete_message(answer);
        settle();
        there.tell(other.tabs);
        assert!(!other.answers.is_any_busy());
        assert_eq!(machine.stopped.borrow().len(), 1);
    });
}

#[test]
fn an_answer_that_the_server_lost_is_interrupted_in_the_tab_that_takes_it_up() {
    two_tabs(|machine, house, there, other| {
        begun_there(machine, house, there, other);
        there.close_tab();
        machine.refuse_rest(Fault::UnknownAnswer);
        machine.pass(2.0 * RETURN_MS);
        assert_eq!(last(house), (Outcome::Interrupted, "Half ".to_owned()));
        assert!(house.answers.can_send());
    });
}
