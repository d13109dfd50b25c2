//! Writings of other tabs, which are shown.

use reactive_graph::prelude::*;
use sash_chat::{Id, Message, Policy, Role};
use sash_harness::{House, reactive, says, text, two_tabs};

#[test]
fn a_message_of_another_tab_is_shown_here() {
    two_tabs(|machine, house, there, other| {
        other.exchange(there, "From there", "Answer");
        machine.tell(house.tabs);
        assert_eq!(house.texts(), ["Hi", "Hello", "From there", "Answer"]);
        let answer = house.chats.open.with_untracked(|chat| chat.leaf());
        assert!(answer.is_some_and(|id| house.chats.message(id).is_some()));
    });
}

#[test]
fn a_chat_of_another_tab_is_in_the_list_here() {
    two_tabs(|machine, house, there, other| {
        other.chats.begin_chat();
        other.exchange(there, "New", "Yes");
        machine.tell(house.tabs);
        assert_eq!(house.titles(), ["New", "Hi"]);
        assert_eq!(house.texts(), ["Hi", "Hello"], "the open one stays open");
    });
}

#[test]
fn a_name_and_a_rule_that_another_tab_gave_are_taken_in() {
    two_tabs(|machine, house, _, other| {
        other.chats.rename(house.chat(), "Renamed");
        other.steering.set_policy(Policy::Everything);
        machine.tell(house.tabs);
        assert_eq!(house.titles(), ["Renamed"]);
        let head = house.chats.open.with_untracked(|chat| chat.head.clone());
        assert_eq!(head.title.as_deref(), Some("Renamed"));
        assert_eq!(head.settings.policy, Policy::Everything);
    });
}

#[test]
fn what_two_tabs_change_of_a_chat_at_the_same_time_is_all_kept() {
    two_tabs(|machine, house, there, other| {
        other.chats.rename(house.chat(), "Renamed");
        // This tab has not received the other tab's change yet.
        house.steering.set_policy(Policy::Everything);
        machine.tell(house.tabs);
        there.tell(other.tabs);
        for tab in [house, other] {
            let head = tab.chats.open.with_untracked(|chat| chat.head.clone());
            assert_eq!(head.title.as_deref(), Some("Renamed"));
            assert_eq!(head.settings.policy, Policy::Everything);
        }
    });
}

#[test]
fn a_message_that_another_tab_deleted_goes_and_comes_back() {
    two_tabs(|machine, house, _, other| {
        let answer = other.chats.path.get_untracked()[1];
        other.chats.delete_message(answer);
        machine.tell(house.tabs);
        assert_eq!(house.texts(), ["Hi"]);
        assert!(other.chats.undo_last());
        machine.tell(house.tabs);
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}

#[test]
fn a_chat_that_another_tab_deletes_is_closed_here_and_that_is_said() {
    two_tabs(|machine, house, _, other| {
        let chat = house.chat();
        other.answers.delete_chat(chat);
        machine.tell(house.tabs);
        assert_ne!(house.chat(), chat);
        assert!(house.titles().is_empty() && house.texts().is_empty());
        let said = house.toast();
        assert_eq!(
            said.as_deref(),
            Some("This chat was deleted in another tab")
        );
        assert!(other.chats.undo_last());
        machine.tell(house.tabs);
        assert_eq!(house.titles(), ["Hi"]);
    });
}

#[test]
fn deleting_in_another_tab_stops_the_answer_that_runs_here() {
    two_tabs(|machine, house, there, other| {
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        let chat = house.chat();
        there.tell(other.tabs);
        other.answers.delete_chat(chat);
        machine.tell(house.tabs);
        assert!(!house.answers.runs_in(chat));
        there.tell(other.tabs);
        assert!(other.titles().is_empty(), "the end does not bring it back");
        assert!(other.chats.undo_last());
        assert_eq!(other.texts(), ["Hi", "Hello", "Long", "Half"]);
    });
}

#[test]
fn while_an_answer_runs_here_what_others_write_waits_for_its_end() {
    two_tabs(|machine, house, _, other| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Long".to_owned()));
        frames.unbounded_send(text("Half")).ok();
        machine.pass(100.0);
        other.chats.rename(house.chat(), "Renamed");
        machine.tell(house.tabs);
        assert_eq!(house.titles(), ["Renamed"]);
        assert!(house.answers.runs_in(house.chat()));
        for frame in says(&[" and half"]) {
            frames.unbounded_send(frame).ok();
        }
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Hi", "Hello", "Long", "Half and half"]);
        let title = house.chats.open.with_untracked(|c| c.head.title.clone());
        assert_eq!(title.as_deref(), Some("Renamed"));
    });
}

#[test]
fn two_tabs_that_answer_at_the_same_time_without_locks_make_two_branches() {
    two_tabs(|machine, house, there, other| {
        machine.without_locks.set(true);
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Mine".to_owned()));
        machine.pass(100.0);
        other.exchange(there, "Theirs", "Quick");
        machine.tell(house.tabs);
        assert_eq!(house.texts()[2], "Mine", "the answer that runs is shown");
        house.answers.stop(house.chat());
        there.tell(other.tabs);
        for tab in [house, other] {
            let all = tab.chats.open.with_untracked(|chat| chat.len());
            assert_eq!(all, 6, "both are kept");
            assert_eq!(tab.chats.forks.get_untracked().len(), 1);
        }
    });
}

#[test]
fn a_log_that_someone_cleared_leaves_what_is_on_the_screen() {
    two_tabs(|machine, house, _, _| {
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(50.0);
        assert!(house.storage.state.get_untracked().cleared);
        assert!(house.titles().is_empty());
        assert_eq!(house.texts(), ["Hi", "Hello"], "it is all there is");
        house.exchange(machine, "More", "Enough");
        house.chats.refresh_list();
        house.chats.reload_open();
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
    });
}

#[test]
fn many_chats_that_another_tab_imports_are_in_the_list_here() {
    reactive(|machine, house| {
        let other = House::new(&machine.another_tab());
        for n in 1..=40_u64 {
            let message = Message {
                content: format!("imported {n}"),
                ..Message::new(Id(n + 1000), None, 1, Role::User, n)
            };
            let save = |log: &mut sash_stores::PageLog| log.save_message(Id(n + 2000), &message);
            assert!(other.storage.write(save));
        }
        machine.tell(house.tabs);
        assert_eq!(house.titles().len(), 40);
        assert_eq!(house.titles()[0], "imported 40");
    });
}

#[test]
fn keys_of_other_programs_are_not_looked_at() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        for key in ["theme", "sash:", "sash:m:1", "sash:c:not-an-id"] {
            house.tabs.on_storage_event(Some(key), true);
        }
        machine.pass(50.0);
        assert_eq!(house.titles(), ["Hi"]);
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}
