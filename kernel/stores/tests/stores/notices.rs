//! Announcements for screen readers, and the toast.

use reactive_graph::prelude::*;
use sash_chat::Policy;
use sash_harness::reactive;

#[test]
fn the_same_words_can_be_said_again_a_second_later() {
    reactive(|machine, house| {
        let status = house.notices.status;
        for _ in 0..2 {
            house.notices.announce("Copied");
            assert_eq!(status.get_untracked(), "Copied");
            machine.pass(1000.0);
            assert_eq!(status.get_untracked(), "", "said, and gone");
        }
    });
}

#[test]
fn the_same_words_within_a_second_are_another_text_and_stand_for_their_own_second() {
    reactive(|machine, house| {
        let status = house.notices.status;
        let mut before = String::new();
        for _ in 0..4 {
            house.notices.announce("Copied");
            let now = status.get_untracked();
            assert_eq!(now.trim(), "Copied");
            assert_ne!(now, before, "a live region announces only changes");
            before = now;
            machine.pass(600.0);
            assert_eq!(status.get_untracked(), before, "it stands for its second");
        }
        machine.pass(400.0);
        assert_eq!(status.get_untracked(), "");
    });
}

#[test]
fn what_is_said_next_stands_for_its_own_second() {
    reactive(|machine, house| {
        let alert = house.notices.alert;
        house.notices.announce_now("first");
        machine.pass(600.0);
        house.notices.announce_now("second");
        machine.pass(600.0);
        assert_eq!(alert.get_untracked(), "second");
        machine.pass(400.0);
        assert_eq!(alert.get_untracked(), "");
    });
}

#[test]
fn a_toast_replaces_the_one_before_and_its_undo() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.steering.clear_window();
        house.offered();
        house.notices.show("Copied");
        assert_eq!(house.toast().as_deref(), Some("Copied"));
        let toast = house.notices.toast.get_untracked();
        assert_eq!(toast.and_then(|toast| toast.undo), None);
    });
}

#[test]
fn a_pin_and_a_mute_are_announced() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        let status = house.notices.status;
        house.steering.pin(answer, true);
        assert_eq!(status.get_untracked(), "Pinned: always sent");
        house.steering.pin(answer, false);
        assert_eq!(status.get_untracked(), "No longer pinned");
        house.steering.mute(answer, true);
        assert_eq!(status.get_untracked(), "Muted: never sent");
        house.steering.mute(answer, false);
        assert_eq!(status.get_untracked(), "No longer muted");
    });
}

#[test]
fn another_step_takes_the_offer_to_undo_a_step_away_but_not_that_of_a_deletion() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        house.steering.clear_window();
        assert_eq!(house.toast().as_deref(), Some("Context cleared"));
        house.steering.pin(answer, true);
        assert_eq!(house.toast(), None);
        house.chats.delete_message(answer);
        house.steering.set_policy(Policy::Everything);
        assert_eq!(house.toast().as_deref(), Some("Deleted a message"));
    });
}

#[test]
fn a_toast_is_gone_with_the_next_prompt_unless_it_undoes_a_deletion() {
    reactive(|machine, house| {
        house.notices.show("“notes.pdf” is too large");
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        assert_eq!(house.toast(), None);
        house.steering.clear_window();
        house.exchange(machine, "Again", "Hello again");
        assert_eq!(house.toast(), None);
        house.chats.delete_message(answer);
        house.exchange(machine, "And?", "Well.");
        assert_eq!(house.toast().as_deref(), Some("Deleted a message"));
    });
}
