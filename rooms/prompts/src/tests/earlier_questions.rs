//! Alt+Up and Alt+Down in the composer.

use crate::earlier_questions::{show_newer, show_older};
use reactive_graph::prelude::*;
use sash_harness::{House, Machine, reactive, settle};
use sash_log::DraftField;
use sash_log::image::hash_image;

fn written(house: House) -> String {
    house.drafts.draft.get_untracked()
}

#[test]
fn the_walk_goes_to_the_first_question_and_back_to_what_was_being_written() {
    reactive(|machine, house| {
        assert!(
            !show_older(house.kernel) && !show_newer(house.kernel),
            "an empty chat"
        );
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        house.write("Half a thou");
        let mut seen = Vec::new();
        while show_older(house.kernel) {
            seen.push(written(house));
        }
        assert_eq!(seen, ["Two?", "One?"]);
        assert!(show_newer(house.kernel));
        assert_eq!(written(house), "Two?");
        assert!(show_newer(house.kernel));
        assert_eq!(written(house), "Half a thou");
        assert!(!show_newer(house.kernel));
        assert_eq!(written(house), "Half a thou");
    });
}

#[test]
fn a_question_that_was_changed_is_what_the_walk_comes_back_to() {
    reactive(|machine, house| {
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        assert!(show_older(house.kernel));
        house.write("Two and a half?");
        assert!(!show_newer(house.kernel), "it is what is being written now");
        assert!(show_older(house.kernel) && show_newer(house.kernel));
        assert_eq!(written(house), "Two and a half?");
        house.chats.begin_chat();
        house.write("Elsewhere");
        assert!(!show_older(house.kernel), "the questions of this chat");
        assert_eq!(written(house), "Elsewhere");
    });
}

/// The draft that a reload finds of the open chat.
fn kept(machine: &Machine, house: House) -> String {
    house.answers.write_everything();
    written(House::reopened(machine, Some(house.chat())))
}

#[test]
fn the_own_draft_stays_the_draft_while_earlier_questions_are_looked_at() {
    // The walk wrote the question over the draft in the log: after a reload what was half-written was gone.
    reactive(|machine, house| {
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        house.write("Half a thou");
        machine.pass(1000.0);
        assert!(show_older(house.kernel));
        machine.pass(2000.0);
        assert_eq!(kept(machine, house), "Half a thou");
        house.write("Two, and a half?");
        machine.pass(2000.0);
        assert_eq!(kept(machine, house), "Half a thou");
        let chat = house.chat();
        house.chats.begin_chat();
        settle();
        house.chats.open_chat(chat);
        settle();
        assert_eq!(written(house), "Half a thou");
    });
}

#[test]
fn a_question_that_was_changed_beside_a_draft_is_kept_for_the_next_walk() {
    reactive(|machine, house| {
        for question in ["One?", "Two?"] {
            house.exchange(machine, question, "So.");
        }
        house.write("Half a thou");
        assert!(show_older(house.kernel));
        house.write("Two and a half?");
        assert!(show_older(house.kernel));
        assert_eq!(written(house), "One?");
        assert!(show_newer(house.kernel));
        assert_eq!(written(house), "Two and a half?");
        assert!(show_newer(house.kernel));
        assert_eq!(written(house), "Half a thou");
        machine.pass(2000.0);
        let reloaded = House::reopened(machine, Some(house.chat()));
        assert!(show_older(reloaded.kernel));
        assert_eq!(written(reloaded), "Two and a half?");
    });
}

#[test]
fn the_own_draft_is_back_once_an_earlier_question_was_sent() {
    reactive(|machine, house| {
        house.exchange(machine, "One?", "So.");
        house.write("Half a thou");
        assert!(show_older(house.kernel));
        house.drafts.put_aside();
        assert_eq!(written(house), "Half a thou");
        assert!(!house.drafts.has_aside());
        let field = DraftField::Question(house.chats.path.get_untracked()[0]);
        assert!(!house.drafts.has_field(field));
    });
}

#[test]
fn another_tab_has_the_own_draft_and_its_changes_do_not_replace_the_question() {
    reactive(|machine, house| {
        house.exchange(machine, "One?", "So.");
        house.write("Half a thou");
        machine.pass(1000.0);
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(house.chat()));
        assert!(show_older(house.kernel));
        machine.pass(4000.0);
        there.tell(other.tabs);
        assert_eq!(written(other), "Half a thou");
        other.write("Half a thought");
        there.pass(1000.0);
        machine.tell(house.tabs);
        assert_eq!(written(house), "One?");
        assert!(show_newer(house.kernel));
        assert_eq!(written(house), "Half a thought");
    });
}

/// The browser's undo brought the own draft back into the field, and it was kept as a change of the question.
#[test]
fn a_field_that_has_the_own_draft_again_ends_the_walk() {
    reactive(|machine, house| {
        house.exchange(machine, "One?", "So.");
        let question = house.chats.path.get_untracked()[0];
        house.write("Half a thou");
        assert!(show_older(house.kernel));
        settle();
        house.write("Half a thou");
        assert!(!house.drafts.has_aside());
        assert!(!house.drafts.has_field(DraftField::Question(question)));
        assert_eq!(kept(machine, house), "Half a thou");
    });
}

/// The images of the own draft went with the earlier question.
#[test]
fn images_of_the_own_draft_stay_with_it() {
    reactive(|machine, house| {
        house.exchange(machine, "One?", "So.");
        house.write("What is this?");
        let image = sash_chat::Image {
            hash: hash_image(b"a picture"),
            format: sash_chat::ImageFormat::Png,
            size: 9,
            width: 3,
            height: 2,
            preview: String::new(),
        };
        house.drafts.images.set(vec![image.clone()]);
        assert!(show_older(house.kernel));
        settle();
        assert!(house.drafts.images.get_untracked().is_empty());
        house.answers.write_everything();
        let reloaded = House::reopened(machine, Some(house.chat()));
        assert_eq!(
            reloaded.drafts.images.get_untracked(),
            std::slice::from_ref(&image)
        );
        house.drafts.set_text("");
        house.drafts.show_own_after_sending();
        assert_eq!(written(house), "What is this?");
        assert_eq!(house.drafts.images.get_untracked(), [image]);
    });
}
