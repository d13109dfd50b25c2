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
