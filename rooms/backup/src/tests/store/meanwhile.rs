//! What comes while something else goes on: another tab, a copied profile, a person who goes on.

use super::house::{
    House, LATER_MS, SOON_MS, backed_up, image, in_step, reactive, shared_chat, two_browsers,
};
use super::server::KEY;
use crate::BackupFault;
use crate::store::BackupPhase;
use any_spawner::Executor;
use reactive_graph::prelude::*;
use sash_chat::{Id, Message, Role};
use sash_harness::settle;

/// The tab that was open first kept the writing and the news for itself, also when nobody looked at it; and each switch read
/// the whole folder.
#[test]
fn of_two_tabs_the_one_that_is_looked_at_writes_and_a_switch_lists_nothing_anew() {
    two_browsers(|machine, house, there, other| {
        let second = machine.another_tab();
        let tab = House::new(&second);
        machine.hidden.set(true);
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::OtherTab);
        assert_eq!(tab.phase(), BackupPhase::Done);
        other.exchange(there, "Hi", "Hello");
        machine.pass(SOON_MS);
        assert_eq!(tab.titles(), ["Hi"]);
        second.tell(house.tabs);
        tab.chats.open_chat(other.chat());
        tab.exchange(&second, "From the second tab", "Yes");
        machine.pass(SOON_MS);
        machine.tell(house.tabs);
        let server = &machine.server;
        let counts = || (server.lists.get(), server.puts.get());
        let before = counts();
        // The person goes back to the first one.
        second.hidden.set(true);
        machine.hidden.set(false);
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
        assert_eq!(tab.phase(), BackupPhase::OtherTab);
        assert_eq!(counts(), before, "nothing is read or written anew");
        other.exchange(there, "And?", "More");
        machine.pass(SOON_MS);
        assert_eq!(house.kept(other.chat()).len(), 6);
        // Two windows beside each other do not take it from each other.
        second.hidden.set(false);
        machine.pass(SOON_MS);
        let asked = server.asked_for_news.get();
        machine.pass(60_000.0);
        assert_eq!(tab.phase(), BackupPhase::Done);
        assert!(server.asked_for_news.get() <= asked + 6);
        // A tab that is closed leaves it to the other one.
        second.close_tab();
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

/// It was in memory alone, and never fetched again.
#[test]
fn an_image_without_room_is_read_from_the_directory_again_after_a_reload() {
    two_browsers(|machine, house, there, other| {
        let picture = image(machine, 1);
        there.no_room_for_images.set(true);
        house.write_message(Id(90_000), 80_001, "Look", vec![picture.clone()]);
        machine.pass(SOON_MS);
        assert_eq!(other.kept(Id(90_000)), ["Look"]);
        assert!(!there.images.borrow().contains_key(&picture.hash));
        // In the memory of the tab that is gone.
        there.images_in_memory.borrow_mut().clear();
        there.close_tab();
        let again = there.another_tab();
        let reopened = House::reopened(&again, Some(Id(90_000)));
        machine.pass(SOON_MS);
        reopened.attachments.is_kept(picture.hash);
        machine.pass(SOON_MS);
        assert_eq!(reopened.attachments.is_kept(picture.hash), Some(true));
    });
}

/// Two pages that always found something to add wrote the file in turns.
#[test]
fn answers_that_never_ended_are_not_handed_back_and_forth() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        for (house, id) in [(house, 70_001), (other, 70_002)] {
            let half = Message {
                content: format!("Half an answer {id}"),
                ..Message::new(Id(id), None, 9, Role::Assistant, 0)
            };
            let begun = house
                .storage
                .with_log(|log| log.begin_tail(chat, &half, None).is_ok());
            assert_eq!(begun, Some(true));
        }
        house.chats.rename(chat, "Another title");
        other.chats.change_head(chat, |head| head.pinned = Some(1));
        machine.pass(LATER_MS * 2.0);
        let puts = machine.server.puts.get();
        machine.pass(LATER_MS);
        assert_eq!(machine.server.puts.get(), puts);
        for text in ["Half an answer 70001", "Half an answer 70002"] {
            assert!(machine.server.contains(text), "{text}");
        }
    });
}

/// Two live pages of one id would each take the other's writes for its own.
#[test]
fn a_copied_profile_gets_an_id_of_its_own_and_both_keep_their_words() {
    two_browsers(|machine, house, _, other| {
        let copy = machine.copied_browser();
        let copied = House::new(&copy);
        copied.engine.refresh();
        assert_eq!(house.install(), copied.install());
        house.exchange(machine, "From the first", "Yes");
        copied.exchange(&copy, "From the copy", "Yes");
        machine.pass(120_000.0);
        assert_ne!(house.install(), copied.install());
        machine.pass(LATER_MS);
        for house in [house, copied, other] {
            assert_eq!(house.titles().len(), 2);
        }
        for text in ["From the first", "From the copy"] {
            assert!(machine.server.contains(text), "{text}");
        }
    });
}

/// Both wrote the same copies for ever, and of a prompt that both changed one text was in no backup.
#[test]
fn a_copied_profile_that_is_not_in_step_gets_an_id_of_its_own_too() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let id = house.keep_prompt(None, "Mail", "Write a mail");
        machine.pass(SOON_MS);
        let copy = machine.copied_browser();
        let copied = House::new(&copy);
        copied.engine.refresh();
        house.keep_prompt(Some(id), "Mail", "From the first");
        copied.keep_prompt(Some(id), "Mail", "From the copy");
        machine.pass(120_000.0);
        assert_ne!(house.install(), copied.install());
        machine.pass(LATER_MS);
        for text in ["From the first", "From the copy"] {
            assert!(machine.server.contains(text), "{text}");
        }
    });
}

/// Each request with a wrong key counts as an attempt to guess it.
#[test]
fn after_a_wrong_key_nothing_asks_any_more() {
    two_browsers(|machine, house, _, _| {
        *machine.server.fault.borrow_mut() = Some(BackupFault::Locked.into());
        house.exchange(machine, "Hi", "Hello");
        machine.pass(60_000.0);
        assert!(matches!(house.phase(), BackupPhase::NeedsKey(Some(_))));
        let asked = machine.server.asked_for_news.get();
        machine.pass(LATER_MS);
        assert_eq!(machine.server.asked_for_news.get(), asked);
        *machine.server.fault.borrow_mut() = None;
        house.backup.set_key(KEY);
        in_step(machine, house);
    });
}

/// Holds `Backup::look_at`: a copy that was read before this browser changed the chat does not undo the change.
#[test]
fn a_title_that_is_changed_while_a_copy_is_on_its_way_stays() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let read = machine.server.slow_gets.hold_back();
        other.exchange(there, "From there", "Yes");
        machine.pass(SOON_MS);
        house.chats.rename(chat, "My title");
        machine.pass(SOON_MS);
        assert!(read.send(()).is_ok(), "the copy is being read");
        machine.pass(SOON_MS);
        for house in [house, other] {
            assert_eq!(house.titles(), ["My title"]);
            assert_eq!(house.kept(chat).len(), 4);
        }
    });
}

/// Holds `Backup::merge_copy`: another run begins with the choice not to be in step, and what comes after it is dropped.
#[test]
fn what_comes_after_a_browser_is_not_in_step_any_more_stays_in_the_directory() {
    two_browsers(|machine, house, _, other| {
        machine.offline.set(true);
        other.keep_prompt(None, "Mail", "From there");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("From there"));
        let read = machine.server.slow_gets.hold_back();
        machine.offline.set(false);
        machine.pass(60_000.0);
        assert_eq!(house.phase(), BackupPhase::Writing, "it is being read");
        house.backup.set_in_step(false);
        machine.pass(SOON_MS);
        assert!(read.send(()).is_err(), "nobody waits for it");
        machine.pass(SOON_MS);
        assert!(house.prompts().is_empty());
        assert!(machine.server.contains("From there"));
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

/// Holds `Backup::merge`: what is deleted for good while a copy is read does not come back with it.
#[test]
fn what_is_deleted_for_good_while_a_copy_is_on_its_way_does_not_come_back() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "A secret");
        let question = house.chats.path.get_untracked()[0];
        other.exchange(there, "From there", "Yes");
        let read = machine.server.slow_gets.hold_back();
        machine.pass(SOON_MS);
        house.purge(machine, chat, &[question], true);
        assert!(read.send(()).is_ok(), "the copy is being read");
        machine.pass(LATER_MS);
        for machine in [machine, there] {
            assert!(!machine.disk.contains("A secret") && machine.disk.contains("From there"));
        }
        assert!(!machine.server.contains("A secret"));
    });
}

/// Holds `Backup::hold_lock`: without locks each tab writes, and none takes words from the other.
#[test]
fn where_there_are_no_locks_two_tabs_write_one_copy() {
    reactive(|machine, house| {
        machine.without_locks.set(true);
        in_step(machine, house);
        let second = machine.another_tab();
        let tab = House::new(&second);
        machine.pass(SOON_MS);
        house.exchange(machine, "From the first", "Yes");
        second.tell(tab.tabs);
        tab.exchange(&second, "From the second", "Yes");
        machine.tell(house.tabs);
        machine.pass(SOON_MS);
        settle();
        for text in ["From the first", "From the second"] {
            assert!(machine.server.contains(text), "{text}");
        }
        Executor::spawn_local(house.backup.forget());
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::NeedsKey(None));
    });
}
