//! Forks of temporary chats.

use crate::fork_chat;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, reactive, settle};

const MARKER: &str = "Zanzibar";

/// The temporary chats that were left and can be kept.
fn offers(house: House) -> Vec<Id> {
    house.chats.left.get_untracked()
}

#[test]
fn a_fork_of_a_temporary_chat_is_a_temporary_one_and_not_stored_either() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.begin_marked(machine, MARKER);
        let answer = house.chats.path.get_untracked()[1];
        assert!(
            fork_chat(house.kernel, answer)
                .is_some_and(|fork| house.chats.is_temporary_untracked(fork))
        );
        settle();
        assert_eq!(house.texts(), [MARKER, MARKER]);
        assert!(!machine.stored().contains(MARKER), "{}", machine.stored());
        assert_eq!(house.titles(), ["Hi"]);
        // What the chat says of itself is there after changes of its head.
        house.steering.clear_window();
        house.chats.reload_open();
        assert_eq!(house.texts(), [MARKER, MARKER]);
    });
}

/// *Forked* once took the place of the only offer to keep the chat.
#[test]
fn no_other_notice_takes_the_place_of_the_offer_to_keep_a_temporary_chat() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let normal = house.chat();
        house.begin_marked(machine, MARKER);
        let original = house.chat();
        let answer = house.chats.path.get_untracked()[1];
        let fork = fork_chat(house.kernel, answer).unwrap();
        settle();
        assert!(
            house
                .toast()
                .is_some_and(|words| words.starts_with("Forked"))
        );
        house.offered();
        assert_eq!(offers(house), [original]);
        // The fork is left too, and something is deleted.
        house.chats.open_chat(normal);
        settle();
        house.chats.delete_chat(normal);
        house.notices.show("Something else");
        assert_eq!(offers(house), [original, fork]);
        house.chats.keep_temporary(original);
        settle();
        assert_eq!(offers(house), [fork]);
        assert_eq!(house.titles(), [MARKER]);
        machine.pass(31_000.0);
        assert_eq!(offers(house), []);
        assert!(house.chats.is_gone(fork));
        house.chats.open_chat(original);
        settle();
        assert_eq!(house.texts(), [MARKER, MARKER]);
    });
}

#[test]
fn undoing_the_fork_of_a_temporary_chat_leads_back_to_it_and_it_stays() {
    reactive(|machine, house| {
        house.begin_marked(machine, MARKER);
        let original = house.chat();
        let answer = house.chats.path.get_untracked()[1];
        let fork = fork_chat(house.kernel, answer).unwrap();
        settle();
        machine.pass(20_000.0);
        house.undo_offer();
        settle();
        assert_eq!(house.chat(), original);
        assert_eq!(offers(house), [fork]);
        // It was left a while ago, and is open again.
        machine.pass(31_000.0);
        assert_eq!(house.texts(), [MARKER, MARKER]);
        assert_eq!(offers(house), []);
        // Left once more, it can be kept for the whole time again.
        house.chats.begin_chat();
        settle();
        machine.pass(29_000.0);
        assert_eq!(offers(house), [original]);
        house.chats.forget_temporary(original);
        assert_eq!(offers(house), []);
        assert!(!machine.stored().contains(MARKER));
    });
}
