//! A title for a chat by its model.

use crate::Titles;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_harness::{House, Machine, cut_off, reactive, says, settle, text};
use sash_stores::hooks::Urgency;
use sash_wire::Fault;

/// Runs a test in a page with the store.
fn with_titles(test: impl FnOnce(&Machine, House, Titles)) {
    reactive(|machine, house| test(machine, house, Titles::new(house.kernel)));
}

#[test]
fn the_request_is_shown_before_it_is_sent_and_the_person_saves_the_title() {
    with_titles(|machine, house, titles| {
        let question = format!("How do I sort a list? {}", "more ".repeat(1_000));
        house.exchange(machine, &question, "With sort().");
        let before = machine.requests.borrow().len();
        titles.open();
        let shown = titles.request.get_untracked().expect("a request");
        assert_eq!(machine.requests.borrow().len(), before, "nothing is sent");
        assert!(shown.prompt.contains("Assistant:\n```\nWith sort().\n```"));
        assert!(shown.prompt.len() < 2_500, "{}", shown.prompt.len());
        machine.answer(says(&["\"Sorting ", "a list\"\n", "And more"]));
        titles.ask();
        machine.pass(100.0);
        let sent = machine
            .requests
            .borrow()
            .last()
            .cloned()
            .expect("a request");
        assert_eq!(sent.prompt, shown.prompt, "it is what was shown");
        assert!(sent.context.is_empty() && sent.answer_id.is_none());
        assert_eq!(titles.text.get_untracked(), "Sorting a list");
        assert_ne!(house.titles(), ["Sorting a list"], "not yet");
        titles.save();
        assert_eq!(house.titles(), ["Sorting a list"]);
        assert!(titles.request.get_untracked().is_none());
        assert_eq!(house.texts().len(), 2, "the conversation is as it was");
    });
}

#[test]
fn a_title_given_in_another_tab_meanwhile_stays() {
    with_titles(|machine, house, titles| {
        house.exchange(machine, "Hi", "Hello");
        titles.open();
        machine.answer(says(&["By the model"]));
        titles.ask();
        machine.pass(100.0);
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(house.chat()));
        other.chats.rename(other.chat(), "By hand");
        machine.tell(house.tabs);
        machine.pass(100.0);
        titles.save();
        assert_eq!(house.titles(), ["By hand"]);
        assert!(
            house
                .toast()
                .is_some_and(|words| words.contains("in the meantime"))
        );
    });
}

#[test]
fn errors_are_said_and_what_is_left_ends() {
    with_titles(|machine, house, titles| {
        house.exchange(machine, "Hi", "Hello");
        titles.open();
        machine.answer(vec![Err(Fault::ConnectionLost)]);
        titles.ask();
        machine.pass(100.0);
        assert!(!titles.error.get_untracked().is_empty());
        machine.answer(says(&["  "]));
        titles.ask();
        machine.pass(100.0);
        assert!(!titles.error.get_untracked().is_empty());
        // A model that writes on and on is cut off, and another chat ends it.
        machine.hold_open(vec![text(&"word ".repeat(200))]);
        titles.ask();
        machine.pass(100.0);
        assert!(!untrack(|| titles.answer.is_running()));
        assert!(titles.text.get_untracked().len() < 70);
        machine.hold_open(vec![text("Half")]);
        titles.ask();
        machine.pass(100.0);
        house.chats.begin_chat();
        settle();
        assert!(!untrack(|| titles.answer.is_running()));
        titles.save();
        assert_eq!(house.titles(), ["Hi"]);
    });
}

/// The first question was quoted, muted or not.
#[test]
fn a_title_quotes_nothing_that_the_model_may_not_read() {
    with_titles(|machine, house, titles| {
        house.exchange(machine, "A secret question", "A secret answer");
        house.exchange(machine, "How do I sort a list?", "With sort().");
        let path = house.chats.path.get_untracked();
        house.steering.mute(path[0], true);
        titles.open();
        let shown = titles.request.get_untracked().expect("a request");
        assert!(shown.prompt.contains("sort a list") && shown.prompt.contains("With sort()"));
        assert!(!shown.prompt.contains("secret"), "{}", shown.prompt);
        titles.close();
        house.steering.clear_window();
        titles.open();
        assert_eq!(titles.request.get_untracked(), None);
        assert!(house.toast().is_some_and(|words| words.contains("muted")));
    });
}

/// A limit that the chat has for its answers cut the title.
#[test]
fn a_title_has_no_limit_of_the_chat_and_one_that_is_cut_off_is_said_to_be() {
    with_titles(|machine, house, titles| {
        house.exchange(machine, "Hi", "Hello");
        house.steering.set_parameter("num_predict", Some(3.into()));
        house.steering.set_parameter("top_k", Some(10.into()));
        titles.open();
        machine.answer(cut_off("A title that en"));
        titles.ask();
        machine.pass(100.0);
        let sent = machine
            .requests
            .borrow()
            .last()
            .cloned()
            .expect("a request");
        let options = sent.options.expect("options");
        assert!(options.contains_key("top_k") && !options.contains_key("num_predict"));
        assert_eq!(titles.text.get_untracked(), "A title that en");
        assert!(titles.error.get_untracked().contains("cut off"));
    });
}

/// Holds `Titles::ask` and `SideAnswer::ask`: what ends the dialog ends its request, whose title would go into the next one.
#[test]
fn a_title_is_asked_for_no_longer_than_its_dialog_waits() {
    with_titles(|machine, house, titles| {
        house.exchange(machine, "Hi", "Hello");
        let ends: [fn(House, Titles); 3] = [
            |_, titles| titles.answer.stop(),
            |_, titles| titles.close(),
            |house, _| house.chats.begin_chat(),
        ];
        for end in ends {
            titles.open();
            let stream = machine.stream_answer();
            titles.ask();
            settle();
            stream.unbounded_send(text("Half")).unwrap();
            settle();
            assert_eq!(titles.text.get_untracked(), "Half");
            let is_free = || untrack(|| house.kernel.engine_users().is_free(Urgency::Ahead));
            assert!(!is_free(), "no draft is read meanwhile");
            end(house, titles);
            settle();
            assert!(stream.is_closed(), "the engine is told");
            assert!(is_free());
        }
    });
}
