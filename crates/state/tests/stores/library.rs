//! The library: changes made in it are shown, and idle chats are packed.

use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_chat::{Id, Message, Role};
use sash_harness::{settle, text};
use sash_log::pack::PackingGain;
use std::cell::Cell;
use std::rc::Rc;

/// Creates a chat that is worth packing, and opens a new one.
fn old_chat(machine: &Machine, house: House) -> Id {
    for n in 0..20 {
        let answer = format!("In answer {n} there is much that was said before. ").repeat(20);
        house.exchange(machine, &format!("Question {n}"), &answer);
    }
    let old = house.chat();
    house.chats.begin_chat();
    old
}

/// Packs chats untouched for a month when `percent` of the storage is used.
fn pack(machine: &Machine, house: House, percent: usize) -> PackingGain {
    let gain: Rc<Cell<Option<PackingGain>>> = Rc::default();
    let done = gain.clone();
    any_spawner::Executor::spawn_local(async move {
        done.set(Some(house.rooms.library.pack_when_full(percent).await));
    });
    machine.pass(100.0);
    gain.get().expect("it ends")
}

#[test]
fn what_was_restored_and_removed_there_is_shown() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "second", "two");
        house.answers.delete_chat(first);
        house.storage.with_log(|log| log.restore(first));
        let message = house.chats.message(house.chats.path.get_untracked()[1]);
        let message = message.expect("the answer");
        let chat = house.chat();
        house
            .storage
            .write(|log| log.remove_message(chat, &message, 0));
        let purged = house
            .storage
            .with_log(|log| log.purge_messages(chat, &[message.id], 0));
        assert_eq!(purged, Some(Ok(())));
        house.rooms.library.refresh_from_log();
        assert_eq!(house.titles(), ["second", "Hi"]);
        assert_eq!(house.texts(), ["second"]);
        assert_ne!(message.id, answer);
    });
}

#[test]
fn a_refresh_does_not_disturb_the_answer_that_runs() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        let chat = house.chat();
        // An imported version of the question: the branch of the newest message is shown.
        let imported = Message {
            content: "Imported".to_owned(),
            ..Message::new(Id(5000), Some(answer), 9, Role::User, 0)
        };
        house.storage.write(|log| log.save_message(chat, &imported));
        house.rooms.library.refresh_from_log();
        assert!(house.answers.runs_in(chat));
        assert_eq!(house.texts()[2], "Long");
        house.answers.stop(chat);
        assert!(house.chats.message(imported.id).is_some());
        assert_eq!(house.kept(chat), house.texts());
    });
}

#[test]
fn chats_that_nobody_touched_for_a_month_are_packed_when_half_of_the_room_is_used() {
    reactive(|machine, house| {
        let old = old_chat(machine, house);
        machine.sleep(31);
        house.exchange(machine, "Today", "Yes");
        house.chats.begin_chat();
        assert_eq!(pack(machine, house, 49), PackingGain::default());
        let gain = pack(machine, house, 50);
        assert_eq!(gain.messages, 40);
        assert!(gain.after < gain.before / 2, "{gain:?}");
        assert_eq!(house.titles(), ["Today", "Question 0"]);
        house.chats.open_chat(old);
        assert_eq!(house.texts().len(), 40, "it opens as it was");
        house.exchange(machine, "And on", "And on");
        assert_eq!(House::new(machine).texts().len(), 42);
    });
}

#[test]
fn the_open_chat_is_not_packed() {
    reactive(|machine, house| {
        let old = old_chat(machine, house);
        house.chats.open_chat(old);
        settle();
        machine.sleep(31);
        assert!(house.rooms.library.idle_chats(0).is_empty());
        assert_eq!(pack(machine, house, 90), PackingGain::default());
    });
}

/// Runs to its end what packs or measures; `meanwhile` comes after the first chat.
fn run<T: 'static>(
    machine: &Machine,
    work: impl Future<Output = T> + 'static,
    meanwhile: impl FnOnce(),
) -> T {
    let done: Rc<Cell<Option<T>>> = Rc::default();
    let result = Rc::clone(&done);
    any_spawner::Executor::spawn_local(async move { result.set(Some(work.await)) });
    settle();
    meanwhile();
    machine.pass(100.0);
    done.take().expect("it ends")
}

/// Holds `Library::pack_chats`: which chat is open is looked up after each pause.
#[test]
fn a_chat_that_is_opened_while_others_are_packed_is_left_as_it_is() {
    reactive(|machine, house| {
        let chats = [old_chat(machine, house), old_chat(machine, house)];
        let library = house.rooms.library;
        let gain = run(
            machine,
            async move { library.pack_chats(&chats).await },
            || {
                house.chats.open_chat(chats[1]);
            },
        );
        assert_eq!(gain.messages, 40, "one of them");
        assert_eq!(house.texts().len(), 40);
        house.chats.begin_chat();
        let gain = run(
            machine,
            async move { library.pack_chats(&chats).await },
            || {},
        );
        assert_eq!(gain.messages, 40, "the other one");
    });
}

/// Holds `Library::packing_gain`: each chat is read when its turn comes.
#[test]
fn a_chat_that_is_deleted_for_good_while_the_gain_is_measured_is_not_counted() {
    reactive(|machine, house| {
        let chats = [old_chat(machine, house), old_chat(machine, house)];
        let library = house.rooms.library;
        let measure = || async move { library.packing_gain(&chats).await };
        assert_eq!(run(machine, measure(), || {}).messages, 80);
        let gain = run(machine, measure(), || {
            house.answers.delete_chat(chats[1]);
            house.storage.with_log(|log| log.purge(chats[1], 1));
        });
        assert_eq!(gain.messages, 40);
    });
}

/// A log that was cleared from outside holds no branch of the open chat: what is on the screen is all there is.
#[test]
fn what_is_shown_stays_when_the_library_reads_a_log_that_someone_cleared() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(50.0);
        house.exchange(machine, "More", "Enough");
        house.rooms.library.refresh_from_log();
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
    });
}
