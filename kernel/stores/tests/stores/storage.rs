//! Saving of the log, and the space that is left.

use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, reactive, text};
use sash_log::{Key, KeyValue, Kinds, Log, MemoryStore};
use sash_stores::{Storage, StorageState, Unsaved};

fn state(house: House) -> StorageState {
    house.storage.state.get_untracked()
}

#[test]
fn what_finds_no_room_is_said_and_written_when_there_is_room() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.disk.leave_room(Some(0));
        house.exchange(machine, "And now?", "No room");
        assert_eq!(state(house).unsaved, Some(Unsaved::Full));
        assert!(state(house).waiting > 0);
        assert_eq!(house.texts().len(), 4, "nothing is lost on the screen");
        machine.disk.leave_room(None);
        house.storage.write_waiting();
        assert_eq!((state(house).unsaved, state(house).waiting), (None, 0));
        let kept = House::new(machine);
        assert_eq!(kept.texts(), ["Hi", "Hello", "And now?", "No room"]);
    });
}

#[test]
fn room_is_kept_for_the_end_of_an_answer() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        // The reserve is made by a timer, after the first paint.
        machine.pass(600.0);
        machine.hold_open(vec![text("A long way to the end")]);
        assert!(house.answers.ask("Go on".to_owned()));
        machine.disk.leave_room(Some(0));
        machine.pass(100.0);
        house.answers.stop(house.chat());
        assert_eq!(house.kept(house.chat()).len(), 4);
        assert_eq!(House::new(machine).texts()[3], "A long way to the end");
        assert_eq!(state(house).waiting, 0);
    });
}

#[test]
fn deleting_a_chat_works_without_room() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.disk.leave_room(Some(0));
        house.answers.delete_chat(house.chat());
        assert_eq!(house.titles(), [""; 0]);
        assert!(house.chats.undo_last());
        assert_eq!(house.titles(), ["Hi"]);
    });
}

#[test]
fn storage_that_the_browser_refuses_is_said_once_it_does_and_the_chat_goes_on() {
    reactive(|machine, house| {
        machine.disk.refuses.set(true);
        house.exchange(machine, "Hi", "Hello");
        assert_eq!(state(house).unsaved, Some(Unsaved::Refused));
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}

#[test]
fn a_log_in_memory_is_never_said_to_be_saved() {
    reactive(|machine, _| {
        let store: Box<dyn KeyValue> = Box::new(MemoryStore::default());
        let log =
            Log::open(store, Id(900), Kinds::default()).unwrap_or_else(|_| panic!("a new log"));
        let newer = StorageState {
            unsaved: Some(Unsaved::Newer),
            ..StorageState::default()
        };
        let storage = Storage::new(machine.edges(), log, newer);
        assert!(storage.write(|log| log.save_draft(Id(1), "text", 0)));
        assert_eq!(storage.state.get_untracked().unsaved, Some(Unsaved::Newer));
    });
}

#[test]
fn records_that_cannot_be_read_are_counted_and_kept() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        let key = Key::Message(house.chat(), 2, answer);
        machine.disk.damage(&key.to_string());
        machine.percent.set(41);
        let house = House::new(machine);
        house.storage.measure();
        machine.pass(600.0);
        assert_eq!((state(house).unreadable, state(house).percent), (1, 41));
        assert_eq!(house.texts(), ["Hi"]);
        assert!(machine.disk.has(&key.quarantined()));
    });
}
