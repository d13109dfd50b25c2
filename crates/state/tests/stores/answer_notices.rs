//! What is said of an answer that ended while the page was not in view.

use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::graph::untrack;
use sash_harness::{says, settle, text};
use sash_wire::Fault;

fn title(house: House) -> String {
    untrack(|| house.rooms.answer_notices.page_title())
}

/// Asks a question that is answered while the page is hidden.
fn answered_unseen(machine: &Machine, house: House, question: &str) {
    machine.hidden.set(true);
    house.exchange(machine, question, "Yes.");
}

#[test]
fn the_title_says_that_an_answer_is_ready_until_the_page_is_seen() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        assert_eq!(title(house), "Hi");
        answered_unseen(machine, house, "More?");
        assert_eq!(title(house), "✓ Hi");
        // Also where another chat is open by then.
        house.chats.begin_chat();
        settle();
        assert_eq!(title(house), "✓ Hi");
        machine.hidden.set(false);
        house.rooms.answer_notices.record_seen();
        assert_eq!(title(house), "New chat");
        assert!(
            machine.notified.borrow().is_empty(),
            "off unless switched on"
        );
    });
}

#[test]
fn a_notification_and_a_sound_are_given_once_for_an_answer_where_they_are_on_and_nobody_looks() {
    reactive(|machine, house| {
        house
            .rooms
            .answer_notices
            .settings
            .change(|settings| (settings.notify, settings.sound) = (true, true));
        house.exchange(machine, "Hi", "Hello");
        assert!(machine.notified.borrow().is_empty());
        answered_unseen(machine, house, "More?");
        assert_eq!(*machine.notified.borrow(), ["Answer ready: Hi", "a sound"]);
        machine.notified.borrow_mut().clear();

        // What a person stops is no news, what breaks off is.
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("And?".to_owned()));
        settle();
        house.answers.stop(house.chat());
        assert!(machine.notified.borrow().is_empty());
        machine.answer(vec![text("Half"), Err(Fault::ServerStopping)]);
        assert!(house.answers.ask("And?".to_owned()));
        machine.pass(100.0);
        assert_eq!(
            machine.notified.borrow().first().map(String::as_str),
            Some("Answer incomplete: Hi")
        );
        assert_eq!(title(house), "⚠ Hi");
    });
}

#[test]
fn nothing_of_a_temporary_chat_is_said_outside_of_the_page() {
    reactive(|machine, house| {
        house
            .rooms
            .answer_notices
            .settings
            .change(|settings| settings.notify = true);
        house.chats.begin_temporary();
        settle();
        machine.hidden.set(true);
        machine.answer(says(&["Zanzibar"]));
        assert!(house.answers.ask("Zanzibar?".to_owned()));
        machine.pass(100.0);
        assert_eq!(*machine.notified.borrow(), ["Answer ready: Temporary chat"]);
        assert_eq!(title(house), "✓ Temporary chat");
    });
}

#[test]
fn an_answer_without_text_is_marked_in_the_title() {
    reactive(|machine, house| {
        machine.hidden.set(true);
        for frames in [says(&[]), says(&[" \n"])] {
            machine.answer(frames);
            assert!(house.answers.ask("Hi".to_owned()));
            machine.pass(100.0);
            assert!(title(house).starts_with('⚠'));
            house.rooms.answer_notices.record_seen();
        }
    });
}
