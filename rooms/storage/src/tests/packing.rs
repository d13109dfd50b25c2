//! Idle chats are packed.

use super::house::{House, reactive};
use any_spawner::Executor;
use sash_chat::Id;
use sash_harness::{Machine, settle};
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
    Executor::spawn_local(async move {
        done.set(Some(house.library.pack_when_full(percent).await));
    });
    machine.pass(100.0);
    gain.get().expect("it ends")
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
        assert!(house.library.idle_chats(0).is_empty());
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
    Executor::spawn_local(async move { result.set(Some(work.await)) });
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
        let library = house.library;
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
        let library = house.library;
        let measure = || async move { library.packing_gain(&chats).await };
        assert_eq!(run(machine, measure(), || {}).messages, 80);
        let gain = run(machine, measure(), || {
            house.answers.delete_chat(chats[1]);
            house.storage.with_log(|log| log.purge(chats[1], 1));
        });
        assert_eq!(gain.messages, 40);
    });
}
