//! Temporary chats.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, reactive, says, settle, text};

const MARKER: &str = "Zanzibar";

/// The temporary chats that were left and can be kept.
fn offers(house: House) -> Vec<Id> {
    house.chats.left.get_untracked()
}

#[test]
fn nothing_of_a_temporary_chat_is_stored_and_no_list_has_it() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        house.begin_marked(machine, MARKER);
        let chat = house.chat();
        assert!(untrack(|| house.chats.is_temporary(chat)));
        assert_eq!(house.texts(), [MARKER, MARKER]);
        house.answers.write_everything();
        assert!(!machine.stored().contains(MARKER), "{}", machine.stored());
        assert!(
            !machine.stored().contains(&chat.to_string()),
            "not even its id"
        );
        assert!(machine.images.borrow().is_empty());
        assert_eq!(house.titles(), ["Hi"]);
        assert_eq!(untrack(|| house.chats.page_title()), "Temporary chat");
        assert_eq!(untrack(|| house.chats.address().to_string()), "/");
        assert_eq!(
            machine.answer_ids.borrow().last(),
            Some(&None),
            "the server keeps nothing"
        );
        // What the chat says of itself is there after changes of its head.
        house.steering.clear_window();
        house.chats.reload_open();
        assert_eq!(house.texts(), [MARKER, MARKER]);
        there.tell(other.tabs);
        assert_eq!(other.titles(), ["Hi"]);
    });
}

#[test]
fn leaving_ends_the_answer_and_forgets_the_chat_unless_it_is_kept_in_time() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let normal = house.chat();
        house.begin_marked(machine, MARKER);
        let left = house.chat();
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("More?".to_owned()));
        settle();
        house.chats.open_chat(normal);
        settle();
        assert!(!house.answers.runs_in(left));
        assert_eq!(offers(house), [left]);
        machine.pass(31_000.0);
        assert!(!untrack(|| house.chats.is_temporary(left)) && house.chats.is_gone(left));
        assert!(machine.images_in_memory.borrow().is_empty());
        assert_eq!(offers(house), []);

        // An empty one leaves nothing to say.
        house.chats.begin_temporary();
        settle();
        let empty = house.chat();
        house.chats.open_chat(normal);
        settle();
        assert!(house.chats.is_gone(empty));
        assert!(!machine.stored().contains(MARKER));
    });
}

#[test]
fn keep_writes_all_of_it_and_the_chat_is_one_like_all_others() {
    reactive(|machine, house| {
        house.begin_marked(machine, MARKER);
        let chat = house.chat();
        // After it was left too.
        house.chats.begin_chat();
        settle();
        house.chats.keep_temporary(chat);
        settle();
        assert!(!untrack(|| house.chats.is_temporary(chat)));
        assert_eq!(house.titles(), [MARKER]);
        assert_eq!(
            (
                machine.images.borrow().len(),
                machine.images_in_memory.borrow().len()
            ),
            (1, 0)
        );
        machine.pass(31_000.0);
        let reloaded = House::reopened(machine, Some(chat));
        assert_eq!(reloaded.texts(), [MARKER, MARKER]);
        assert_eq!(reloaded.drafts.written.get_untracked(), MARKER);
        // From now on answers outlive the page again.
        machine.answer(says(&["Yes."]));
        assert!(reloaded.answers.ask("And now?".to_owned()));
        settle();
        assert!(
            machine
                .answer_ids
                .borrow()
                .last()
                .is_some_and(Option::is_some)
        );
    });
}

/// It was forgotten where its images took longer than the rest of the half minute, or found no room.
#[test]
fn a_temporary_chat_that_is_kept_in_time_is_kept_however_long_that_takes() {
    reactive(|machine, house| {
        house.begin_marked(machine, MARKER);
        let chat = house.chat();
        house.chats.begin_chat();
        settle();
        for has_room in [false, true] {
            machine.disk.leave_room((!has_room).then_some(0));
            machine.pass(20_000.0);
            let image = machine.slow_image();
            house.chats.keep_temporary(chat);
            machine.pass(31_000.0);
            assert_eq!(offers(house), [chat], "{has_room}");
            image.send(()).unwrap();
            settle();
        }
        assert_eq!(offers(house), []);
        assert_eq!(house.titles(), [MARKER]);
    });
}

/// Holds `Chats::keep_temporary`: whether the chat is still there is looked up once its images are kept.
#[test]
fn a_temporary_chat_whose_offer_is_closed_while_it_is_being_kept_is_not_stored() {
    reactive(|machine, house| {
        house.begin_marked(machine, MARKER);
        let chat = house.chat();
        house.chats.begin_chat();
        settle();
        let image = machine.slow_image();
        house.chats.keep_temporary(chat);
        settle();
        house.chats.forget_temporary(chat);
        image.send(()).unwrap();
        settle();
        assert!(house.titles().is_empty() && !machine.stored().contains(MARKER));
        assert_ne!(house.toast().as_deref(), Some("This chat is kept"));
    });
}
