//! What a draft refers to and the window leaves out.

use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_chat::Id;

const DRAFT: &str = "how often should I run ANALYZE on the SQLite recipe database";

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
    house.mentions.offered().map(|offer| offer.id)
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

#[test]
fn an_offer_that_is_taken_goes_along_with_this_prompt_alone() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        assert!(house.mentions.take_offer());
        let goes = || house.steering.window.with_untracked(|w| w.contains(meant));
        assert!(goes());
        assert_eq!(offered(house), None);
        assert!(!house.mentions.take_offer(), "once");
        house.exchange(machine, DRAFT, "Once a month.");
        house.write("");
        assert!(!goes());
        let sent = machine.requests.borrow().last().cloned();
        let sent = sent.map(|request| request.context).unwrap_or_default();
        let sent = sent.iter().filter(|m| m.content.contains("ANALYZE"));
        assert_eq!(sent.count(), 1);
    });
}

#[test]
fn an_offer_that_was_dismissed_is_not_made_again_for_this_draft() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.write(DRAFT);
        machine.pass(200.0);
        house.mentions.dismiss_offer(meant);
        assert_eq!(machine.focused.borrow().last().unwrap(), "prompt");
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
        assert_eq!(house.mentions.offer.get_untracked(), None);
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
