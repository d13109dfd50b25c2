//! Messages to which a draft refers and which the window leaves out.

use super::house::{House, Machine, reactive};
use reactive_graph::prelude::*;
use sash_chat::PromptChoice;
use sash_chat::{Id, RecalledBlock};
use sash_harness::says;
use sash_stores::edges::FocusTarget;

const DRAFT: &str = "how often should I run ANALYZE on the SQLite recipe database";

/// Two exchanges about something else.
fn talk_of_pictures(machine: &Machine, house: House) {
    for question in ["How do I make pictures load faster?", "And caching?"] {
        house.exchange(machine, question, "Save them as WebP.");
    }
}

/// Creates a chat with an answer far above the window; returns the answer's id.
fn talk(machine: &Machine, house: House) -> Id {
    let talk = [
        (
            "The search page is slow, it takes almost two seconds.",
            "Add an index on the title column. Use the FTS5 extension for the text.",
        ),
        (
            "Done, it takes two milliseconds now.",
            "Great. Remember to run `ANALYZE` in SQLite once, so that the query planner of the recipe database \
             knows the sizes.",
        ),
        (
            "How do I make pictures load faster?",
            "Save them as WebP, and set `loading=\"lazy\"` on everything below the fold.",
        ),
        (
            "And caching?",
            "Give each picture a name that holds a hash of its content.",
        ),
        (
            "What does a good 404 page say?",
            "That the page is gone, and where to go: a search box and the three most read pages.",
        ),
    ];
    for (question, answer) in talk {
        house.exchange(machine, question, answer);
    }
    house.chats.path.get_untracked()[3]
}

fn offered(house: House) -> Option<Id> {
    house.recalls.offered().map(|offer| offer.id)
}

#[test]
fn what_a_draft_refers_to_is_offered_in_a_pause_of_the_typing() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(100.0);
        assert_eq!(offered(house), None, "not while it is typed");
        machine.pass(100.0);
        assert_eq!(offered(house), Some(meant));
        house.write("something else");
        machine.pass(200.0);
        assert_eq!(offered(house), None, "what it rests on was taken back");
    });
}

/// The prompt of the last request.
fn sent(machine: &Machine) -> String {
    let requests = machine.requests.borrow();
    requests
        .last()
        .map(|request| request.prompt.clone())
        .unwrap_or_default()
}

/// Writes the draft and takes the offer; returns the block that goes with the draft.
fn include(machine: &Machine, house: House) -> RecalledBlock {
    house.write(DRAFT);
    machine.pass(200.0);
    assert!(house.recalls.accept_offer());
    let block = house.steering.quotes.get_untracked();
    block.unwrap_or_default()
}

#[test]
fn an_offer_that_is_taken_is_frozen_into_the_question_and_goes_with_each_answer_to_it() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        let block = include(machine, house);
        assert!(block.quotes(meant), "{block:?}");
        assert_eq!(offered(house), None);
        assert!(!house.recalls.accept_offer(), "once");
        let preview = house.answers.next_request().prompt;
        assert_eq!(preview, format!("{}\n\n{DRAFT}", block.text));
        let (question, answer) = house.exchange(machine, DRAFT, "Once a month.");
        assert_eq!(sent(machine), preview);
        house.write("");
        assert_eq!(house.steering.quotes.get_untracked(), None);
        machine.answer(says(&["Twice a month."]));
        house.answers.answer_again(answer);
        machine.pass(100.0);
        assert_eq!(sent(machine), preview, "another answer reads the same");
        let reloaded = House::reopened(machine, Some(house.chat()));
        let question = reloaded.chats.message(question).unwrap();
        assert_eq!(question.recalled, Some(block));
    });
}

#[test]
fn what_is_quoted_in_the_window_is_not_offered_again() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        include(machine, house);
        house.exchange(machine, DRAFT, "Once a month.");
        house.write(DRAFT);
        machine.pass(200.0);
        assert_ne!(offered(house), Some(meant));
    });
}

#[test]
fn what_was_included_can_be_left_out_and_does_not_go_while_it_is_muted() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        include(machine, house);
        let quoted = || {
            let block = house.steering.quotes.get_untracked();
            block.is_some_and(|block| block.quotes(meant))
        };
        house.steering.mute(meant, true);
        machine.pass(200.0);
        assert!(!quoted());
        house.steering.mute(meant, false);
        machine.pass(200.0);
        assert!(quoted());
        house.recalls.exclude(meant);
        assert!(!quoted());
        house.exchange(machine, DRAFT, "Once a month.");
        assert_eq!(sent(machine), DRAFT);
    });
}

#[test]
fn of_a_long_message_that_is_included_the_part_that_was_meant_goes() {
    reactive(|machine, house| {
        let filler = "Nothing of interest stands here, only many words. ".repeat(40);
        let text = format!("{filler}\n\n").repeat(20);
        let text = format!("{text}Run `ANALYZE` on the SQLite recipe database.\n\n{text}");
        house.exchange(machine, "What next?", &text);
        talk_of_pictures(machine, house);
        let block = include(machine, house);
        assert!(block.pieces[0].excerpt);
        assert!(block.text.contains("Run `ANALYZE`"), "{}", block.text);
        assert!(block.text.len() < text.len() / 2);
    });
}

#[test]
fn a_version_of_a_question_keeps_what_was_included_as_long_as_it_fits() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        include(machine, house);
        let (question, _) = house.exchange(machine, DRAFT, "Once a month.");
        let mut choice = PromptChoice::default();
        let goes = |text: &str, choice: &PromptChoice| {
            let block = house.recalls.for_version(question, text, choice);
            block.is_some_and(|block| block.quotes(meant))
        };
        let edited = format!("{DRAFT}, please?");
        assert!(goes(&edited, &choice));
        assert!(!goes("Write a poem about the sea", &choice));
        let former = house.recalls.of_question(question).unwrap();
        choice.include(former.pieces[0].clone().into());
        assert!(goes("Write a poem about the sea", &choice));
        choice.exclude(meant);
        assert!(!goes(&edited, &choice));
    });
}

#[test]
fn an_offer_that_was_dismissed_is_not_made_again_for_this_draft() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        house.recalls.dismiss_offer(meant);
        assert_eq!(machine.focused.borrow().last(), Some(&FocusTarget::Prompt));
        house.write(&format!("{DRAFT}?"));
        machine.pass(200.0);
        assert_eq!(offered(house), None);
        house.write("");
        house.write(DRAFT);
        machine.pass(200.0);
        assert_eq!(offered(house), Some(meant), "the next draft is another one");
    });
}

#[test]
fn whoever_wants_no_offers_gets_none() {
    reactive(|machine, house| {
        talk(machine, house);
        house.settings.change(|settings| settings.no_offers = true);
        house.write(DRAFT);
        machine.pass(200.0);
        assert_eq!(house.recalls.offer.get_untracked(), None);
    });
}

#[test]
fn a_muted_message_is_not_offered() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.steering.mute(meant, true);
        house.write(DRAFT);
        machine.pass(200.0);
        assert_ne!(offered(house), Some(meant));
    });
}
