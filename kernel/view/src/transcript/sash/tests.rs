//! In the browser: the marks of messages.

use super::marks::{Mark, marks};
use sash_chat::window::{Estimate, Parts, select};
use sash_chat::{Head, Id, Message, Policy, Role};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Questions and answers by turns, six messages with the ids 1 to 6.
fn branch() -> Vec<Message> {
    let message = |id: u64| {
        let role = if id % 2 == 1 {
            Role::User
        } else {
            Role::Assistant
        };
        Message {
            content: format!("message {id}"),
            ..Message::new(Id(id), (id > 1).then(|| Id(id - 1)), id as u32, role, id)
        }
    };
    (1..=6).map(message).collect()
}

/// How each message of the branch stands, as styles know it, and what was set.
fn standings(head: &Head) -> Vec<(&'static str, Option<&'static str>)> {
    let branch = branch();
    let all: Vec<&Message> = branch.iter().collect();
    let ids: Vec<Id> = branch.iter().map(|message| message.id).collect();
    let window = select(&all, head, Estimate::default(), Parts::summary_of(head));
    let marks = marks(&ids, &window, &head.settings.pins, &head.settings.mutes);
    ids.iter()
        .enumerate()
        .map(|(place, id)| {
            let mark: Mark = marks[id];
            assert_eq!(mark.place, place);
            (mark.standing(), mark.set())
        })
        .collect()
}

fn head() -> Head {
    let mut head = Head::new(Id(9), 1);
    head.settings.policy = Policy::Messages(3);
    head
}

#[wasm_bindgen_test]
fn the_window_and_what_slides_out_next_are_marked() {
    let standings = standings(&head());
    let names: Vec<_> = standings.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["out", "out", "out", "next", "next", "in"]);
}

#[wasm_bindgen_test]
fn a_pinned_message_is_sent_and_a_muted_one_is_not() {
    let mut head = head();
    head.pin(Id(1), true);
    head.mute(Id(6), true);
    let standings = standings(&head);
    assert_eq!(standings[0], ("in", Some("pinned")));
    assert_eq!(standings[5], ("out", Some("muted")));
}
