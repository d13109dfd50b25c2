//! The list of chats and the open one: names, deletion, branches.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, Outcome};
use sash_harness::{House, reactive, says, settle, text};
use sash_wire::PageAddress;

#[test]
fn an_empty_name_gives_a_chat_its_first_question_back() {
    reactive(|machine, house| {
        house.exchange(machine, "How do locks work?", "Well.");
        house.chats.rename(house.chat(), "  Locks ");
        assert_eq!(house.titles(), ["Locks"]);
        house.chats.rename(house.chat(), "   ");
        assert_eq!(house.titles(), ["How do locks work?"]);
    });
}

#[test]
fn a_chat_that_is_not_open_can_be_renamed() {
    reactive(|machine, house| {
        house.exchange(machine, "first", "one");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "second", "two");
        house.chats.rename(first, "renamed");
        assert_eq!(house.titles(), ["second", "renamed"]);
        assert_eq!(house.chats.open.with_untracked(|c| c.title()), "second");
        house.chats.open_chat(first);
        assert_eq!(house.chats.open.with_untracked(|c| c.title()), "renamed");
    });
}

#[test]
fn deleting_the_open_chat_opens_the_next_and_the_toast_brings_it_back() {
    reactive(|machine, house| {
        house.exchange(machine, "first", "one");
        house.chats.begin_chat();
        house.exchange(machine, "second", "two");
        let second = house.chat();
        house.answers.delete_chat(second);
        assert_eq!(house.texts(), ["first", "one"]);
        assert_eq!(house.toast().as_deref(), Some("Deleted “second”"));
        house.undo_offer();
        assert_eq!(house.texts(), ["second", "two"]);
        assert_eq!(house.titles(), ["second", "first"]);
        assert_eq!(house.toast(), None);
        assert!(!house.chats.undo_last(), "it is taken back once");
    });
}

#[test]
fn a_chat_that_was_removed_for_good_is_not_brought_back() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        house.answers.delete_chat(chat);
        house.storage.with_log(|log| log.purge(chat, 0));
        assert!(!house.history.holds(house.offered()));
        house.undo_offer();
        let said = house.toast();
        assert_eq!(said.as_deref(), Some("That chat was deleted for good"));
        assert!(house.titles().is_empty() && house.texts().is_empty());
    });
}

#[test]
fn a_deleted_message_leaves_what_followed_it_and_comes_back_to_its_place() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        house.exchange(machine, "More", "Enough");
        house.chats.delete_message(answer);
        assert_eq!(house.texts(), ["Hi", "More", "Enough"]);
        assert_eq!(House::new(machine).texts(), ["Hi", "More", "Enough"]);
        assert!(house.chats.undo_last());
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
        let goal = house.view.goal.get_untracked();
        assert_eq!(goal, Some((answer, true)), "the reader is brought to it");
        assert_eq!(House::new(machine).texts().len(), 4);
    });
}

#[test]
fn an_edited_question_is_a_branch_beside_the_former_one() {
    reactive(|machine, house| {
        let (question, _) = house.exchange(machine, "Hi", "Hello");
        house.exchange(machine, "More", "Enough");
        machine.answer(says(&["Bonjour"]));
        assert!(
            house
                .answers
                .ask_instead_of(question, house.version(question, "Salut"))
        );
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Salut", "Bonjour"]);
        let versions = house
            .chats
            .open
            .with_untracked(|c| c.tree.versions(question));
        assert_eq!(versions.len(), 2);
        house.chats.walk_to(question);
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
        let reloaded = House::reopened(machine, Some(house.chat()));
        assert_eq!(reloaded.texts(), house.texts(), "also after a reload");
        house.exchange(machine, "Then?", "Now.");
        assert_eq!(house.texts().len(), 6, "what is asked goes on there");
    });
}

#[test]
fn an_answer_asked_for_again_stands_beside_the_first_one() {
    reactive(|machine, house| {
        let (_, first) = house.exchange(machine, "Hi", "Hello");
        machine.answer(says(&["Good day"]));
        house.answers.answer_again(first);
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Hi", "Good day"]);
        let versions = house.chats.open.with_untracked(|c| c.tree.versions(first));
        assert_eq!(versions.len(), 2);
        assert_eq!(house.chats.forks.get_untracked(), versions[1..]);
        house.chats.walk_to(first);
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}

#[test]
fn an_answer_whose_question_was_deleted_cannot_be_asked_for_again() {
    reactive(|machine, house| {
        let (question, answer) = house.exchange(machine, "Hi", "Hello");
        house.chats.delete_message(question);
        machine.requests.borrow_mut().clear();
        house.answers.answer_again(answer);
        machine.pass(100.0);
        assert!(machine.requests.borrow().is_empty());
        let said = house.toast();
        assert_eq!(said.as_deref(), Some("Its question was deleted"));
    });
}

#[test]
fn an_answer_goes_on_in_its_chat_while_another_one_is_open() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("long".to_owned()));
        let asked = house.chat();
        frames.unbounded_send(text("Once upon a time")).ok();
        machine.pass(100.0);
        house.chats.begin_chat();
        house.exchange(machine, "quick", "yes");
        frames.unbounded_send(text(", the end.")).ok();
        for frame in says(&[]) {
            frames.unbounded_send(frame).ok();
        }
        machine.pass(100.0);
        assert_eq!(house.texts(), ["quick", "yes"]);
        house.chats.open_chat(asked);
        assert_eq!(house.texts(), ["long", "Once upon a time, the end."]);
        let last = house.chats.open.with_untracked(|c| c.newest().cloned());
        assert_eq!(last.map(|m| m.outcome), Some(Outcome::Complete));
    });
}

#[test]
fn a_new_chat_that_was_left_empty_is_the_one_that_is_begun_next() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        house.chats.begin_chat();
        let fresh = house.chat();
        house.chats.open_chat(first);
        house.chats.begin_chat();
        assert_eq!(house.chat(), fresh);
        assert_eq!(house.titles(), ["Hi"], "an empty chat is not in the list");
        house.exchange(machine, "Again", "Yes");
        house.chats.begin_chat();
        assert_ne!(house.chat(), fresh);
    });
}

#[test]
fn a_reloaded_tab_shows_its_chat_and_a_new_tab_the_one_touched_last() {
    reactive(|machine, house| {
        house.exchange(machine, "first", "one");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "second", "two");
        assert_eq!(House::reopened(machine, Some(first)).texts()[0], "first");
        assert_eq!(House::new(machine).texts()[0], "second");
    });
}

#[test]
fn a_message_found_on_another_branch_of_another_chat_is_walked_to() {
    reactive(|machine, house| {
        let (question, _) = house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        machine.answer(says(&["Bonjour"]));
        assert!(
            house
                .answers
                .ask_instead_of(question, house.version(question, "Salut"))
        );
        machine.pass(100.0);
        house.chats.begin_chat();
        house.chats.show_message(chat, Some(question));
        assert_eq!(house.texts(), ["Hi", "Hello"]);
        assert_eq!(house.view.goal.get_untracked(), Some((question, true)));
    });
}

#[test]
fn a_chat_has_an_address_from_its_first_message_on() {
    reactive(|machine, house| {
        assert_eq!(untrack(|| house.chats.address()), PageAddress::NewChat);
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        assert_eq!(untrack(|| house.chats.address()), PageAddress::Chat(chat));
    });
}

#[test]
fn an_address_opens_its_chat_and_a_foreign_one_changes_nothing() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        assert!(house.chats.follow(PageAddress::NewChat));
        settle();
        assert_eq!(house.texts(), [""; 0]);
        let fresh = house.chat();
        assert!(house.chats.follow(PageAddress::NewChat));
        assert_eq!(house.chat(), fresh, "it is open already");
        assert!(!house.chats.follow(PageAddress::Chat(Id(12_345))));
        assert_eq!(house.chat(), fresh);
        assert!(house.chats.follow(PageAddress::Chat(first)));
        settle();
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}

/// Holds `Chats::delete_chats` and `Chats::undo_deletion`: whether a chat is still listed, or in the trash, is looked up when
/// its slice comes, and whether the next one is still there at the end.
#[test]
fn what_goes_by_itself_between_slices_is_neither_opened_nor_brought_back_with_the_others() {
    reactive(|machine, house| {
        let chats = house.begin_chats(machine, 61);
        house.chats.delete_chats(&chats[1..]);
        settle();
        let [next, .., alone, open] = chats[..] else {
            panic!("sixty-one chats");
        };
        assert_eq!(house.chat(), open, "the next slice waits");
        house.answers.delete_chat(alone);
        house.answers.delete_chat(next);
        machine.pass(1_000.0);
        assert!(house.titles().is_empty() && house.texts().is_empty());
        house.undo_offer();
        settle();
        assert_eq!(house.titles().len(), 50);
        house.storage.with_log(|log| log.purge(open, 1));
        machine.pass(1_000.0);
        assert_eq!(house.titles().len(), 58);
        assert!(house.chats.is_gone(alone) && house.chats.is_gone(open));
    });
}

/// Holds `Chats::delete_chats`: which chat is open is looked up at the end.
#[test]
fn a_chat_that_is_opened_while_many_others_are_deleted_stays_open() {
    reactive(|machine, house| {
        let chats = house.begin_chats(machine, 62);
        house.chats.delete_chats(&chats[2..]);
        settle();
        house.chats.open_chat(chats[0]);
        machine.pass(1_000.0);
        assert_eq!(house.titles().len(), 2);
        assert_eq!(house.chat(), chats[0]);
    });
}
