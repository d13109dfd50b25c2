//! Alt+Up and Alt+Down in the composer.

use crate::house::{House, reactive};
use reactive_graph::prelude::*;

fn written(house: House) -> String {
    house.drafts.draft.get_untracked()
}

#[test]
fn the_walk_goes_to_the_first_question_and_back_to_what_was_being_written() {
    reactive(|machine, house| {
        let questions = house.earlier_questions;
        assert!(!questions.older() && !questions.newer(), "an empty chat");
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        house.write("Half a thou");
        let mut seen = Vec::new();
        while questions.older() {
            seen.push(written(house));
        }
        assert_eq!(seen, ["Two?", "One?"]);
        assert!(questions.newer());
        assert_eq!(written(house), "Two?");
        assert!(questions.newer());
        assert_eq!(written(house), "Half a thou");
        assert!(!questions.newer());
        assert_eq!(written(house), "Half a thou");
    });
}

#[test]
fn a_question_that_was_changed_is_what_the_walk_comes_back_to() {
    reactive(|machine, house| {
        let questions = house.earlier_questions;
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        assert!(questions.older());
        house.write("Two and a half?");
        assert!(!questions.newer(), "it is what is being written now");
        assert!(questions.older() && questions.newer());
        assert_eq!(written(house), "Two and a half?");
        house.chats.begin_chat();
        house.write("Elsewhere");
        assert!(!questions.older(), "the questions of this chat");
        assert_eq!(written(house), "Elsewhere");
    });
}
