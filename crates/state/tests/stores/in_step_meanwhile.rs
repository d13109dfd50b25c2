//! Browsers in step while something else goes on: another tab, no room, deletion, a server that cannot be reached.

use crate::folder::KEY;
use crate::house::House;
use crate::in_step::{SOON_MS, in_step, purge, shared_chat, two_browsers};
use crate::machine::Machine;
use crate::prompts::{delete_prompt, keep_prompt, prompts};
use list::ChatList;
use reactive_graph::prelude::*;
use sash_chat::{Head, Id, Image, Message, Role};
use sash_harness::{settle, small_image};
use sash_log::image::hash_image;
use sash_state::BackupPhase;

fn phase(house: House) -> BackupPhase {
    house
        .rooms
        .backup
        .state
        .with_untracked(|state| state.phase.clone())
}

/// Writes a message at the end of a chat, or a chat of one message.
fn write(house: House, chat: Id, id: u64, text: &str, images: Vec<Image>) {
    let loaded = house.storage.with_log(|log| log.load(chat)).flatten();
    if loaded.is_none() {
        assert!(
            house
                .storage
                .write(|log| log.save_head(&Head::new(chat, 5)))
        );
    }
    let newest = loaded.as_ref().and_then(|chat| chat.newest());
    let seq = loaded.as_ref().map_or(1, sash_chat::Chat::next_seq);
    let message = Message {
        content: text.to_owned(),
        images,
        ..Message::new(Id(id), newest.map(|m| m.id), seq, Role::User, 0)
    };
    assert!(house.storage.write(|log| log.save_message(chat, &message)));
}

/// The tab that was open first kept the writing and the news for itself, also when nobody looked at it.
#[test]
fn of_two_tabs_the_one_that_is_looked_at_takes_over_what_others_write() {
    two_browsers(|machine, house, there, other| {
        let second = machine.another_tab();
        let tab = House::new(&second);
        machine.hidden.set(true);
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::OtherTab);
        assert_eq!(phase(tab), BackupPhase::Done);
        other.exchange(there, "Hi", "Hello");
        machine.pass(SOON_MS);
        assert_eq!(tab.titles(), ["Hi"]);
        // The person goes back to the first one.
        second.hidden.set(true);
        machine.hidden.set(false);
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::Done);
        assert_eq!(phase(tab), BackupPhase::OtherTab);
        other.exchange(there, "And?", "More");
        machine.pass(SOON_MS);
        assert_eq!(house.kept(other.chat()).len(), 4);
        // Two windows beside each other do not take it from each other.
        second.hidden.set(false);
        machine.pass(SOON_MS);
        let asked = machine.folder.asked_for_news.get();
        machine.pass(60_000.0);
        assert_eq!(phase(tab), BackupPhase::Done);
        assert!(machine.folder.asked_for_news.get() <= asked + 6);
        // A tab that is closed leaves it to the other one.
        second.close_tab();
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::Done);
    });
}

/// It counted as joined, and emptying the trash took the words of the other browser along.
#[test]
fn a_chat_of_the_trash_that_somebody_went_on_with_stays_where_there_is_no_room_to_join_it() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        there.offline.set(true);
        other.exchange(there, &"My own words ".repeat(500), "Yes");
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        machine.disk.leave_room(Some(1_000));
        there.offline.set(false);
        machine.pass(600_000.0);
        purge(machine, house, chat, &[]);
        machine.pass(SOON_MS);
        let toast = house.toast().expect("a toast");
        assert!(toast.contains("“Hi” stays in the trash"), "{toast}");
        for text in ["Hi", "My own words"] {
            assert!(
                machine.folder.contains(text) && there.disk.contains(text),
                "{text}"
            );
        }
        machine.disk.leave_room(None);
        house.rooms.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(house.titles(), ["Hi"]);
        assert!(machine.disk.contains("My own words"));
    });
}

/// The chats after it, by their ids, were never handed over.
#[test]
fn a_chat_that_cannot_be_joined_holds_up_no_other() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        machine.offline.set(true);
        machine.disk.leave_room(Some(3_000));
        write(house, chat, 80_001, "Here", Vec::new());
        write(house, Id(90_000), 80_002, "In another chat", Vec::new());
        other.exchange(there, &"There ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        machine.offline.set(false);
        machine.pass(600_000.0);
        assert!(machine.folder.contains("In another chat"));
        assert!(matches!(phase(house), BackupPhase::Failed(_)));
        machine.disk.leave_room(None);
        house.rooms.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::Done);
        assert!(machine.folder.contains("\"Here\"") && machine.disk.contains("There There"));
    });
}

/// Either came the deleted texts back, or the words that somebody else wrote afterwards went too.
#[test]
fn a_chat_deleted_for_good_without_the_folder_keeps_the_words_that_others_write_afterwards() {
    for days in [0, 3] {
        two_browsers(|machine, house, there, other| {
            let chat = shared_chat(machine, house, other, "A secret");
            machine.offline.set(true);
            house
                .storage
                .with_log(|log| log.delete(chat, 0).expect("room"));
            empty_trash(machine, house, chat);
            machine.sleep(days);
            let reopened = House::reopened(machine, None);
            other.exchange(there, "My own words", "Yes");
            machine.pass(SOON_MS);
            machine.offline.set(false);
            machine.pass(600_000.0);
            for machine in [machine, there] {
                let has = |text: &str| machine.disk.contains(text);
                assert!(!has("A secret") && has("My own words"), "{days}");
            }
            assert!(!machine.folder.contains("A secret"));
            assert!(machine.folder.contains("My own words"));
            assert_eq!(phase(reopened), BackupPhase::Done);
        });
    }
}

/// Empties the trash of a chat here alone, as a page does whose folder cannot be reached.
fn empty_trash(machine: &Machine, house: House, chat: Id) {
    any_spawner::Executor::spawn_local(async move {
        _ = house.library().purge(vec![(chat, None)]).await
    });
    machine.pass(100.0);
}

/// The folder had it still, so it came back, and stayed in the others.
#[test]
fn a_prompt_deleted_for_good_before_that_was_handed_over_does_not_come_back() {
    two_browsers(|machine, house, _, other| {
        let id = keep_prompt(house, None, "Mail", "A secret");
        machine.pass(SOON_MS);
        assert!(machine.folder.contains("A secret"));
        delete_prompt(house, id);
        any_spawner::Executor::spawn_local(
            async move { _ = house.library().purge(Vec::new()).await },
        );
        machine.pass(60_000.0);
        assert!(!machine.disk.contains("A secret") && !machine.folder.contains("A secret"));
        for house in [house, other] {
            assert!(prompts(house).is_empty());
        }
    });
}

#[test]
fn a_chat_without_room_is_named_and_fetched_once_there_is_some() {
    two_browsers(|machine, house, there, other| {
        there.disk.leave_room(Some(2_000));
        there.percent.set(99);
        house.exchange(machine, &"long ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        let no_room = || {
            other
                .rooms
                .backup
                .state
                .with_untracked(|s| s.no_room.clone())
        };
        let title = &no_room()[0].1;
        assert!(title.starts_with("long long"), "{title}");
        // The person opens it.
        let fetch = |fetched: std::rc::Rc<std::cell::Cell<Option<bool>>>| {
            let chat = house.chat();
            any_spawner::Executor::spawn_local(async move {
                let done = other.rooms.backup.fetch_chat(chat).await;
                fetched.set(done.ok());
            });
            machine.pass(100.0);
        };
        let fetched = std::rc::Rc::new(std::cell::Cell::new(None));
        fetch(fetched.clone());
        assert_eq!((fetched.get(), no_room().len()), (Some(false), 1));
        there.disk.leave_room(None);
        fetch(fetched.clone());
        assert_eq!((fetched.get(), no_room().len()), (Some(true), 0));
        assert_eq!(other.titles().len(), 1);
        // Another one comes by itself once the person has made room.
        there.disk.leave_room(Some(2_000));
        house.chats.begin_chat();
        house.exchange(machine, &"longer ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        assert_eq!(no_room().len(), 1);
        there.disk.leave_room(None);
        there.percent.set(80);
        other
            .chats
            .delete_chat(other.chats.list.get_untracked()[0].id);
        machine.pass(SOON_MS);
        assert_eq!(no_room().len(), 0);
    });
}

/// It was in memory alone, and never fetched again.
#[test]
fn an_image_without_room_is_read_from_the_folder_again_after_a_reload() {
    two_browsers(|machine, house, there, other| {
        let mut bytes =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
        bytes.push(1);
        let image = Image {
            hash: hash_image(&bytes),
            ..small_image()
        };
        machine
            .images
            .borrow_mut()
            .insert(image.hash, (bytes.clone(), 0));
        there.no_room_for_images.set(true);
        write(house, Id(90_000), 80_001, "Look", vec![image.clone()]);
        machine.pass(SOON_MS);
        assert_eq!(other.kept(Id(90_000)), ["Look"]);
        assert!(!there.images.borrow().contains_key(&image.hash));
        // In the memory of the tab that is gone.
        there.images_in_memory.borrow_mut().clear();
        let reopened = House::reopened(there, Some(Id(90_000)));
        machine.pass(SOON_MS);
        reopened.attachments.is_kept(image.hash);
        machine.pass(SOON_MS);
        assert_eq!(reopened.attachments.is_kept(image.hash), Some(true));
    });
}

/// Two pages that always found something to add wrote the file in turns, and its older versions were gone in minutes.
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
        ChatList::new(other.kernel).pin_chat(chat, true);
        machine.pass(60_000.0);
        let puts = machine.folder.puts.get();
        machine.pass(300_000.0);
        assert_eq!(machine.folder.puts.get(), puts);
        for text in ["Half an answer 70001", "Half an answer 70002"] {
            assert!(machine.folder.contains(text), "{text}");
        }
    });
}

/// Two live pages of one id would each take the other's writes for its own.
#[test]
fn a_copied_profile_gets_an_id_of_its_own() {
    two_browsers(|machine, house, _, _| {
        let copy = machine.copied_browser();
        let copied = House::new(&copy);
        copied.engine.refresh();
        let install = |house: House| house.storage.with_log(|log| log.install()).flatten();
        assert_eq!(install(house), install(copied));
        machine.pass(120_000.0);
        assert_ne!(install(house), install(copied));
        house.exchange(machine, "Hi", "Hello");
        machine.pass(SOON_MS);
        assert_eq!(copied.titles(), ["Hi"]);
    });
}

/// Each request with a wrong key counts as an attempt to guess it.
#[test]
fn after_a_wrong_key_nothing_asks_any_more() {
    two_browsers(|machine, house, _, _| {
        *machine.folder.fault.borrow_mut() = Some(sash_calls::BackupFault::Locked.into());
        house.exchange(machine, "Hi", "Hello");
        machine.pass(60_000.0);
        assert!(matches!(phase(house), BackupPhase::NeedsKey(Some(_))));
        let asked = machine.folder.asked_for_news.get();
        machine.pass(300_000.0);
        assert_eq!(machine.folder.asked_for_news.get(), asked);
        *machine.folder.fault.borrow_mut() = None;
        house.rooms.backup.set_key(KEY);
        in_step(machine, house);
    });
}

/// Holds `Backup::still_deleted`: what is in the trash is looked up after the chats were joined.
#[test]
fn a_message_that_is_restored_while_its_chat_is_joined_is_not_deleted_for_good() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Keep this");
        let question = house.chats.path.get_untracked()[0];
        let joined = machine.folder.slow_chats.hold_back();
        purge(machine, house, chat, &[question]);
        house
            .storage
            .with_log(|log| log.restore_message(chat, question));
        assert!(joined.send(()).is_ok(), "the chat is being joined");
        machine.pass(SOON_MS);
        assert_eq!(house.kept(chat), ["Keep this", "Yes"]);
        assert!(machine.folder.contains("Keep this"));
        assert_eq!(other.kept(chat), ["Keep this", "Yes"]);
    });
}

/// Holds `Backup::purge_deleted`: a chat that another browser has gone on with since it was joined is joined once more.
#[test]
fn a_chat_that_somebody_goes_on_with_while_the_trash_is_emptied_stays() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        other.exchange(there, "My own words", "Yes");
        machine.pass(1_000.0);
        // The file is read before those words are in the folder, and comes before this browser writes it.
        let joined = machine.folder.slow_chats.hold_back();
        purge(machine, house, chat, &[]);
        machine.pass(1_500.0);
        assert!(machine.folder.contains("My own words"));
        assert!(joined.send(()).is_ok(), "the chat is being joined");
        machine.pass(SOON_MS);
        assert_eq!(house.kept(chat), ["Hi", "Yes", "My own words", "Yes"]);
        assert_eq!(house.titles(), ["Hi"]);
        assert!(machine.folder.contains("My own words"));
    });
}

/// Holds `Backup::merge`: a file that was read before this browser handed over another version of it is not joined.
#[test]
fn a_title_that_is_handed_over_while_an_earlier_file_is_on_its_way_stays() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let read = machine.folder.slow_chats.hold_back();
        any_spawner::Executor::spawn_local(
            async move { _ = house.rooms.backup.fetch_chat(chat).await },
        );
        settle();
        house.chats.rename(chat, "My title");
        machine.pass(SOON_MS);
        assert!(machine.folder.contains("My title"));
        assert!(read.send(()).is_ok(), "the file is being read");
        machine.pass(SOON_MS);
        assert_eq!(house.titles(), ["My title"]);
        assert_eq!(other.titles(), ["My title"]);
    });
}

/// Holds `Backup::read_prompts`: another run begins with the choice not to be in step, and what comes after it is dropped.
#[test]
fn prompts_that_come_after_a_browser_is_not_in_step_any_more_stay_in_the_folder() {
    two_browsers(|machine, house, _, other| {
        machine.offline.set(true);
        keep_prompt(other, None, "Mail", "From there");
        machine.pass(SOON_MS);
        assert!(machine.folder.contains("From there"));
        let read = machine.folder.slow_prompts.hold_back();
        machine.offline.set(false);
        machine.pass(60_000.0);
        assert_eq!(phase(house), BackupPhase::Writing, "they are being read");
        house.rooms.backup.set_in_step(false);
        machine.pass(SOON_MS);
        assert!(read.send(()).is_ok());
        machine.pass(SOON_MS);
        assert!(prompts(house).is_empty());
        assert!(machine.folder.contains("From there"));
    });
}
