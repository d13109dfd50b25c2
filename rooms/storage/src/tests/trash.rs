//! The trash: listed, and emptied in steps.

use super::house::{House, reactive};
use crate::{Deleted, TrashUnread};
use any_spawner::Executor;
use list::ChatList;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_harness::{Machine, settle};
use sash_stores::DeletedId;
use std::cell::RefCell;
use std::rc::Rc;

fn deleted(machine: &Machine, house: House) -> Vec<Deleted> {
    read(machine, house).expect("the trash is read")
}

fn read(machine: &Machine, house: House) -> Result<Vec<Deleted>, TrashUnread> {
    read_meanwhile(machine, house, || {})
}

/// Lists the trash; `meanwhile` comes after the first chat.
fn read_meanwhile(
    machine: &Machine,
    house: House,
    meanwhile: impl FnOnce(),
) -> Result<Vec<Deleted>, TrashUnread> {
    let all = Rc::new(RefCell::new(Ok(Vec::new())));
    let done = all.clone();
    Executor::spawn_local(async move {
        let found = house.library.deleted().await;
        *done.borrow_mut() = found;
    });
    settle();
    meanwhile();
    machine.pass(10.0);
    all.replace(Ok(Vec::new()))
}

fn ids(all: &[Deleted]) -> Vec<DeletedId> {
    all.iter().map(Deleted::id).collect()
}

/// Removes some for good. Returns what could not be removed.
fn purged(machine: &Machine, house: House, some: &[Deleted]) -> Vec<DeletedId> {
    let left: Rc<RefCell<Vec<DeletedId>>> = Rc::default();
    let (some, done) = (ids(some), left.clone());
    Executor::spawn_local(async move {
        let found = house.library.purge_some(some).await;
        done.replace(found);
    });
    machine.pass(100.0);
    left.take()
}

/// Empties the trash.
fn purge(house: House, all: &[Deleted]) {
    let all = ids(all);
    Executor::spawn_local(async move {
        let left = house.library.purge(all).await;
        assert_eq!(left, []);
    });
}

/// A packed chat of 40 long messages, of which the first `count` were deleted after they were packed.
fn packed_chat(machine: &Machine, house: House, count: usize) -> Id {
    for n in 0..20 {
        let answer = format!("In answer {n} there is much that was said before. ").repeat(20);
        house.exchange(machine, &format!("Question {n}"), &answer);
    }
    let chat = house.chat();
    let gain = house.storage.with_log(|log| log.pack(chat));
    assert!(gain.is_some_and(|gain| gain.is_ok_and(|gain| gain.messages == 40)));
    house.chats.reload_open();
    for id in house.chats.path.get_untracked().into_iter().take(count) {
        house.chats.delete_message(id);
    }
    house.chats.begin_chat();
    settle();
    chat
}

/// The trash seemed to be empty when the browser's storage gave nothing back.
#[test]
fn a_trash_that_cannot_be_read_does_not_seem_empty() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "A question", "An answer");
        house.chats.delete_message(answer);
        settle();
        assert_eq!(deleted(machine, house).len(), 1);
        machine.disk.clear();
        let unread = read(machine, house).unwrap_err();
        assert_eq!((unread.records, unread.read), (1, Vec::new()));
    });
}

#[test]
fn it_lists_chats_and_messages_with_their_words() {
    reactive(|machine, house| {
        house.exchange(machine, "First chat", "One");
        let first = house.chat();
        house.chats.begin_chat();
        let (_, answer) = house.exchange(machine, "Second chat", "A **secret**.");
        let second = house.chat();
        house.chats.delete_message(answer);
        house.answers.delete_chat(first);
        let all = deleted(machine, house);
        let words: Vec<_> = all
            .iter()
            .map(|one| {
                (
                    one.chat,
                    one.message,
                    one.title.as_str(),
                    one.in_chat.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            words,
            [
                (first, None, "First chat", None),
                (second, Some(answer), "A secret.", Some("Second chat")),
            ]
        );
        for one in &all {
            house.library.restore(one);
        }
        assert!(deleted(machine, house).is_empty());
        assert_eq!(house.titles(), ["Second chat", "First chat"]);
        assert_eq!(house.texts(), ["Second chat", "A **secret**."]);
    });
}

#[test]
fn messages_of_a_packed_chat_are_listed_with_one_reading_of_its_segment() {
    reactive(|machine, house| {
        packed_chat(machine, house, 30);
        machine.disk.contents_read();
        let all = deleted(machine, house);
        assert_eq!(all.len(), 30);
        assert!(
            all.iter()
                .all(|one| one.title.contains("uestion") || one.title.contains("nswer"))
        );
        // One for the segment; a record of its own, or a tail, was looked for 30 times.
        assert_eq!(machine.disk.contents_read(), 1 + 30);
    });
}

#[test]
fn it_is_emptied_a_chat_at_a_time_and_what_is_restored_meanwhile_stays() {
    reactive(|machine, house| {
        let packed = packed_chat(machine, house, 30);
        let mut chats = Vec::new();
        for n in 0..5 {
            house.exchange(machine, &format!("Chat {n}"), "Yes");
            chats.push(house.chat());
            house.chats.begin_chat();
        }
        for chat in &chats {
            house.answers.delete_chat(*chat);
        }
        let all = deleted(machine, house);
        assert_eq!(all.len(), 35);
        machine.disk.contents_read();
        purge(house, &all);
        settle();
        // The first step is done, and others wait for the page.
        let left = deleted_chats(house);
        assert!(!left.is_empty(), "in steps");
        let spared = *left.last().unwrap();
        house.storage.with_log(|log| log.restore(spared));
        machine.pass(100.0);
        assert_eq!(deleted(machine, house), []);
        assert!(
            house
                .storage
                .with_log(|log| log.load(spared))
                .flatten()
                .is_some()
        );
        let kept = house.storage.with_log(|log| log.load(packed)).flatten();
        assert_eq!(kept.map(|chat| chat.messages().count()), Some(10));
    });
}

#[test]
fn one_item_is_removed_for_good_and_the_others_can_still_be_restored() {
    reactive(|machine, house| {
        house.exchange(machine, "First chat", "One");
        let first = house.chat();
        house.chats.begin_chat();
        let (question, answer) = house.exchange(machine, "Second chat", "Two");
        let second = house.chat();
        let folder = ChatList::new(house.kernel).folder_named("Work");
        ChatList::new(house.kernel).delete_folder(folder);
        house.chats.delete_message(question);
        house.chats.delete_message(answer);
        house.answers.delete_chat(first);
        for n in 0..3u8 {
            let hash = ImageHash([n; 32]);
            machine.images.borrow_mut().insert(hash, (vec![n], 1));
        }
        let (ours, rest): (Vec<_>, Vec<_>) = deleted(machine, house)
            .into_iter()
            .partition(|one| one.message == Some(answer));
        assert_eq!(purged(machine, house, &ours), []);
        assert_eq!(deleted(machine, house), rest);
        assert_eq!(rest.len(), 2);
        assert!(machine.images.borrow().is_empty(), "as when it is emptied");
        let can_restore = house
            .storage
            .with_log(|log| log.can_restore_message(second, answer));
        assert_eq!(can_restore, Some(false));
        let folder = house.storage.with_log(|log| log.folder(folder)).flatten();
        assert!(
            folder.is_some_and(|folder| !folder.is_purged()),
            "its deletion can still be undone"
        );
        for one in &rest {
            house.library.restore(one);
        }
        assert_eq!(house.titles(), ["Second chat", "First chat"]);
        assert_eq!(house.kept(second), ["Second chat"]);
    });
}

#[test]
fn who_keeps_something_elsewhere_hears_what_is_deleted_for_good() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "A question", "An answer");
        house.chats.delete_message(answer);
        let heard: Rc<RefCell<Vec<DeletedId>>> = Rc::default();
        let told = heard.clone();
        house
            .storage
            .purged()
            .on(move |gone| told.borrow_mut().extend(gone.iter().copied()));
        let all = deleted(machine, house);
        assert_eq!(purged(machine, house, &all), []);
        assert_eq!(*heard.borrow(), [(house.chat(), Some(answer))]);
    });
}

/// It said that the message was deleted.
#[test]
fn a_message_whose_segment_cannot_be_written_again_is_told_as_left() {
    reactive(|machine, house| {
        packed_chat(machine, house, 3);
        let all = deleted(machine, house);
        let first = &all[..1];
        machine.disk.leave_room(Some(0));
        assert_eq!(purged(machine, house, first), ids(first));
        assert_eq!(deleted(machine, house), all);
        machine.disk.leave_room(None);
        assert_eq!(purged(machine, house, first), []);
        assert_eq!(deleted(machine, house), all[1..]);
    });
}

/// It was opened because it had been open when it was deleted before.
#[test]
fn undo_opens_a_chat_only_if_it_was_open_when_it_was_deleted_last() {
    reactive(|machine, house| {
        house.exchange(machine, "First chat", "One");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Second chat", "Two");
        let second = house.chat();
        let delete_alone = |chat| house.answers.delete_chat(chat);
        let delete_with_others = |chat| house.chats.delete_chats(&[chat]);
        for delete in [&delete_alone as &dyn Fn(Id), &delete_with_others] {
            house.chats.open_chat(first);
            delete(first);
            assert_eq!(house.chat(), second);
            for one in deleted(machine, house) {
                house.library.restore(&one);
            }
            delete(first);
            assert!(house.chats.undo_last());
            assert_eq!(house.titles().len(), 2);
            assert_eq!(house.chat(), second);
        }
    });
}

fn deleted_chats(house: House) -> Vec<Id> {
    let all = house.storage.with_log(|log| log.deleted());
    all.unwrap_or_default().iter().map(|chat| chat.id).collect()
}

#[test]
fn images_that_nothing_refers_to_go_in_small_transactions() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        for n in 0..120u8 {
            let hash = ImageHash([n; 32]);
            machine.images.borrow_mut().insert(hash, (vec![n], 1));
        }
        house.answers.delete_chat(chat);
        let all = deleted(machine, house);
        purge(house, &all);
        machine.pass(100.0);
        assert!(machine.images.borrow().is_empty());
        assert_eq!(*machine.image_deletions.borrow(), [50, 50, 20]);
    });
}

/// Two chats, each with its deleted answer.
fn deleted_answers(machine: &Machine, house: House) -> [(Id, Id); 2] {
    ["First chat", "Second chat"].map(|question| {
        house.chats.begin_chat();
        let (_, answer) = house.exchange(machine, question, "Yes");
        house.chats.delete_message(answer);
        (house.chat(), answer)
    })
}

/// Holds `Library::deleted`: each chat is read when its turn comes.
#[test]
fn a_message_that_is_restored_while_the_trash_is_listed_is_not_in_it() {
    reactive(|machine, house| {
        let [first, second] = deleted_answers(machine, house);
        let all = read_meanwhile(machine, house, || {
            house
                .storage
                .with_log(|log| log.restore_message(second.0, second.1));
        });
        let all = all.expect("the trash is read").into_iter();
        let listed: Vec<_> = all.map(|one| (one.chat, one.message)).collect();
        assert_eq!(listed, [(first.0, Some(first.1))]);
    });
}

/// Holds `Library::purge` and `Library::purge_some`: what is still deleted is looked up after each pause.
#[test]
fn a_message_and_a_folder_that_are_restored_while_the_trash_is_emptied_stay() {
    reactive(|machine, house| {
        let [first, second] = deleted_answers(machine, house);
        let folder = ChatList::new(house.kernel).folder_named("Work");
        ChatList::new(house.kernel).delete_folder(folder);
        let all = deleted(machine, house);
        assert_eq!(all.len(), 2);
        purge(house, &all);
        settle();
        house
            .storage
            .with_log(|log| log.restore_message(second.0, second.1));
        house.undo_offer();
        machine.pass(100.0);
        assert_eq!(house.kept(first.0), ["First chat"]);
        assert_eq!(house.kept(second.0), ["Second chat", "Yes"]);
        let kept = house.storage.with_log(|log| log.folder(folder)).flatten();
        assert!(kept.is_some_and(|folder| folder.deleted.is_none()));
    });
}
