//! The backup in a directory of the device, which the person chose in the browser.

use super::house::{
    House, LATER_MS, Machine, SOON_MS, backed_up, click, image, keep_backup, reactive,
};
use super::server::KEY;
use crate::store::{BackupPhase, BackupSettingsStoreFields, ChatPlace};
use crate::{BackupFault, BackupProblem};
use any_spawner::Executor;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::settle;
use sash_stores::edges::Locks as _;
use sash_wire::Fault;
use std::rc::Rc;

/// The name of the directory of the device, if the backup is there.
fn device(house: House) -> Option<String> {
    house.state().device
}

/// A browser that lets the person choose, and a person who chooses.
fn choose(machine: &Machine, house: House) -> Result<(), Fault> {
    machine.device.exists.set(true);
    machine.device.says_yes.set(true);
    assert!(house.backup.can_choose_directory());
    click(machine, house.backup.choose_directory()).expect("an answer")
}

fn contains(machine: &Machine, text: &str) -> bool {
    !machine.device.files.having(text.as_bytes()).is_empty()
}

/// Lets all operations on files fail from now on, or none.
fn fail(machine: &Machine, fails: bool) {
    let files = &machine.device.files;
    files.last.set(fails.then_some(files.operations.get()));
}

#[test]
fn a_chosen_directory_has_each_change_and_gives_it_back_to_another_browser() {
    reactive(|machine, house| {
        assert!(!house.backup.can_choose_directory());
        house.exchange(machine, "Before", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Off);
        assert_eq!(choose(machine, house), Ok(()));
        assert_eq!(house.phase(), BackupPhase::Done);
        assert_eq!(device(house).as_deref(), Some("Chats"));
        assert!(contains(machine, "Before"));
        let files = &machine.device.files;
        assert!(files.text("README.txt").is_some());
        house.write_message(house.chat(), 500, "After", vec![image(machine, 1)]);
        machine.pass(SOON_MS);
        assert!(contains(machine, "After"));
        assert!(files.paths().iter().any(|path| path.starts_with("images/")));
        let (_, written) = files.bytes.get();
        machine.pass(60_000.0);
        assert_eq!(files.bytes.get().1, written);
        // Another browser that has the directory.
        let mut there = machine.another_browser();
        there.device.files = Rc::clone(files);
        let other = House::new(&there);
        assert_eq!(choose(&there, other), Ok(()));
        let chats = other.list_chats(&there);
        assert_eq!((chats.len(), chats[0].place), (1, ChatPlace::Absent));
        other.restore(&there, chats);
        assert_eq!(other.titles(), house.titles());
        // Both write the same chat: what each wrote stays.
        house.exchange(machine, "From the first", "Yes");
        other.chats.open_chat(house.chat());
        other.exchange(&there, "From the second", "Yes");
        machine.pass(LATER_MS);
        there.pass(LATER_MS);
        assert!(contains(machine, "From the first") && contains(machine, "From the second"));
    });
}

#[test]
fn a_browser_that_wants_to_ask_again_is_waited_for() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        // After a reload.
        machine.device.is_allowed.set(false);
        machine.close_tab();
        let there = machine.another_tab();
        let again = House::new(&there);
        machine.pass(SOON_MS);
        assert_eq!(again.phase(), BackupPhase::NeedsPermission);
        assert!(!again.state().is_open());
        again.exchange(&there, "Not allowed yet", "Yes");
        machine.pass(SOON_MS);
        machine.device.says_yes.set(false);
        click(machine, again.backup.allow_directory());
        assert_eq!(again.phase(), BackupPhase::NeedsPermission);
        machine.device.says_yes.set(true);
        click(machine, again.backup.allow_directory());
        assert_eq!(again.phase(), BackupPhase::Done);
        assert!(contains(machine, "Not allowed yet"));
    });
    // While the page is open.
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.device.is_allowed.set(false);
        fail(machine, true);
        house.exchange(machine, "Not allowed any more", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::NeedsPermission);
        fail(machine, false);
        click(machine, house.backup.allow_directory());
        assert_eq!(house.phase(), BackupPhase::Done);
        assert!(contains(machine, "Not allowed any more"));
    });
}

#[test]
fn a_directory_of_something_else_is_refused_and_left_as_it_is() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let files = Rc::clone(&machine.device.files);
        let refused = Err(BackupFault::from(BackupProblem::NotEmpty).into());
        files.set("letter.txt", "Dear");
        assert_eq!(choose(machine, house), refused);
        assert_eq!(files.paths(), ["letter.txt"]);
        assert!(machine.device.remembered.borrow().is_none());
        files.unset("letter.txt");
        files.set("README.txt", "My project");
        assert_eq!(choose(machine, house), refused);
        assert_eq!(house.phase(), BackupPhase::Off);
        // A key alone makes no backup.
        files.unset("README.txt");
        files.set("key", KEY);
        files.set("notes.txt", "Dear");
        assert_eq!(choose(machine, house), refused);
        assert_eq!(files.paths(), ["key", "notes.txt"]);
    });
}

/// Each start of a page after a killed server waited 45 s.
#[test]
fn the_lock_of_a_server_that_was_killed_makes_nobody_wait() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let files = &machine.device.files;
        files.set(
            "README.txt",
            "This folder is a backup that Sash keeps (sash --backup).",
        );
        files.set("key", KEY);
        files.set("lock", "a heartbeat");
        assert_eq!(choose(machine, house), Ok(()));
        assert!(contains(machine, "Hello"));
    });
}

#[test]
fn a_directory_that_cannot_be_written_loses_nothing() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        fail(machine, true);
        house.exchange(machine, "While it was away", "Yes");
        machine.pass(SOON_MS);
        let gone = BackupFault::from(BackupProblem::Gone).into();
        assert_eq!(house.phase(), BackupPhase::Failed(gone));
        fail(machine, false);
        machine.pass(LATER_MS);
        assert!(contains(machine, "While it was away"));
        assert_eq!(house.phase(), BackupPhase::Done);
        // A full disk is said of the chat, and of no other one.
        machine.device.files.room.set(Some(0));
        house.exchange(machine, "While the disk was full", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(house.reasons().len(), 1);
        assert!(!house.state().has_everything());
        machine.device.files.room.set(None);
        machine.pass(LATER_MS);
        assert!(contains(machine, "While the disk was full"));
        assert!(house.state().has_everything());
    });
}

#[test]
fn what_is_deleted_for_good_goes_from_the_directory_and_a_forgotten_one_is_left_alone() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        house.exchange(machine, "To be deleted", "Yes");
        machine.pass(SOON_MS);
        house.purge(machine, house.chat(), &[], true);
        machine.pass(SOON_MS);
        assert!(!contains(machine, "To be deleted"));
        house.chats.begin_chat();
        house.exchange(machine, "This stays", "Yes");
        machine.pass(SOON_MS);
        click(machine, house.backup.forget());
        assert_eq!(house.phase(), BackupPhase::Off);
        house.exchange(machine, "No backup of this", "Yes");
        machine.pass(SOON_MS);
        assert!(contains(machine, "This stays") && !contains(machine, "No backup of this"));
        let again = House::new(&machine.another_tab());
        machine.pass(SOON_MS);
        assert_eq!(again.phase(), BackupPhase::Off);
        // The same directory once more is sealed by the same key.
        let key = house.backup.settings.current.device_key().get_untracked();
        assert_eq!(key.len(), 64);
        assert_eq!(choose(machine, house), Ok(()));
        assert_eq!(
            house.backup.settings.current.device_key().get_untracked(),
            key
        );
        assert!(contains(machine, "No backup of this"));
    });
}

#[test]
fn a_tab_that_was_open_goes_on_when_the_one_that_chose_is_closed() {
    reactive(|machine, house| {
        let there = machine.another_tab();
        let other = House::new(&there);
        assert_eq!(choose(machine, house), Ok(()));
        there.pass(SOON_MS);
        assert_eq!(device(other), None, "it has not heard of it");
        other.tabs.on_storage_event(Some("sash:set"), true);
        there.pass(SOON_MS);
        assert_eq!(device(other).as_deref(), Some("Chats"));
        click(machine, house.backup.forget());
        other.tabs.on_storage_event(Some("sash:set"), true);
        there.pass(SOON_MS);
        assert_eq!(device(other), None);
    });
}

#[test]
fn the_directory_of_the_server_comes_first() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        keep_backup(machine, house, true);
        machine.pass(SOON_MS);
        house.exchange(machine, "Into the device", "Yes");
        machine.pass(SOON_MS);
        assert!(contains(machine, "Into the device"));
        backed_up(machine, house);
        assert_eq!(device(house), None);
        house.exchange(machine, "Into the server’s", "Yes");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Into the server’s"));
        assert!(!contains(machine, "Into the server’s"));
    });
}

#[test]
fn of_two_choices_the_later_one_counts_however_long_the_first_takes() {
    reactive(|machine, house| {
        machine.device.exists.set(true);
        machine.device.says_yes.set(true);
        // Somebody else writes there.
        let held = machine.hold("sash:backup-folder", Box::new(|| ()));
        Executor::spawn_local(async move {
            // What a choice that gave way finds is not said any more.
            house.backup.choose_directory().await.ok();
        });
        machine.pass(1_000.0);
        click(machine, house.backup.forget());
        drop(held);
        machine.pass(SOON_MS);
        assert_eq!(device(house), None);
        assert!(machine.device.remembered.borrow().is_none());
        assert_eq!(house.phase(), BackupPhase::Off);
    });
}

#[test]
fn what_the_browser_does_not_remember_is_said() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.device.forgets.set(true);
        assert_eq!(choose(machine, house), Ok(()));
        assert!(contains(machine, "Hi"));
        let mut said = house.toast().unwrap_or_default();
        if said.is_empty() {
            // The toast is gone by now: it is said once more with the next choice.
            machine.device.says_yes.set(true);
            Executor::spawn_local(async move {
                assert_eq!(house.backup.choose_directory().await, Ok(()));
            });
            machine.pass(100.0);
            said = house.toast().expect("a notice");
        }
        assert!(said.contains("cannot remember the folder"), "{said}");
        machine.device.forgets.set(false);
        assert_eq!(choose(machine, house), Ok(()));
        *machine.device.remembered.borrow_mut() = None;
        let again = House::new(&machine.another_tab());
        machine.pass(100.0);
        let said = again.toast().expect("a notice");
        assert!(said.contains("has forgotten the folder"), "{said}");
        assert!(!again.backup.is_wanted());
    });
}

/// One failure of IndexedDB forgot the device's folder in all tabs, silently.
#[test]
fn a_database_that_does_not_open_forgets_no_directory() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.device.is_unread.set(true);
        machine.close_tab();
        let there = machine.another_tab();
        let again = House::new(&there);
        machine.pass(100.0);
        assert_eq!(device(again), None);
        assert!(again.backup.is_wanted());
        let said = again.toast().expect("a notice");
        assert!(said.contains("does not respond"), "{said}");
        again.exchange(&there, "Meanwhile", "Yes");
        machine.device.is_unread.set(false);
        machine.pass(LATER_MS);
        assert_eq!(device(again).as_deref(), Some("Chats"));
        assert!(contains(machine, "Meanwhile"));
        let chosen = house
            .backup
            .settings
            .current
            .backup_folder()
            .get_untracked();
        assert!(chosen.is_some());
    });
}

#[test]
fn with_a_key_nothing_goes_into_the_device_and_what_is_deleted_goes_from_both() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        house.exchange(machine, "In both", "Yes");
        machine.pass(SOON_MS);
        backed_up(machine, house);
        assert!(machine.server.contains("In both") && contains(machine, "In both"));
        house.exchange(machine, "In the server’s alone", "Yes");
        machine.pass(SOON_MS);
        // A page that has just begun does not know yet whether the server keeps a backup.
        let there = machine.another_tab();
        let again = House::new(&there);
        machine.pass(SOON_MS);
        assert!(!contains(machine, "In the server’s alone"));
        house.purge(machine, house.chat(), &[], true);
        there.tell(again.tabs);
        machine.pass(SOON_MS);
        assert!(!machine.server.contains("In both") && !contains(machine, "In both"));
        assert_eq!(device(again), None);
    });
}

/// Holds `Backup::allow_directory` and `Backup::check_permission`: what the browser says counts for the directory that was asked
/// about.
#[test]
fn what_the_browser_says_of_a_directory_that_gave_way_to_another_does_not_count() {
    for asks_person in [true, false] {
        reactive(|machine, house| {
            assert_eq!(choose(machine, house), Ok(()));
            machine.device.says_yes.set(false);
            machine.device.is_allowed.set(false);
            let answer = machine.device.slow.hold_back();
            let backup = house.backup;
            Executor::spawn_local(async move {
                match asks_person {
                    true => backup.allow_directory().await,
                    false => backup.check_permission().await,
                }
            });
            settle();
            assert_eq!(choose(machine, house), Ok(()), "another directory");
            assert_eq!(house.phase(), BackupPhase::Done);
            assert!(answer.send(()).is_ok());
            machine.pass(SOON_MS);
            assert_eq!(house.phase(), BackupPhase::Done);
        });
    }
}

/// Holds `Backup::find_directory`: a choice that followed counts.
#[test]
fn a_directory_that_is_chosen_while_the_remembered_one_is_looked_for_stays() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.device.forgets.set(true);
        *machine.device.remembered.borrow_mut() = None;
        machine.close_tab();
        let answer = machine.device.slow.hold_back();
        let again = House::new(&machine.another_tab());
        assert_eq!(device(again), None, "it is looked for");
        assert_eq!(choose(machine, again), Ok(()));
        assert!(answer.send(()).is_ok());
        machine.pass(SOON_MS);
        assert_eq!(device(again).as_deref(), Some("Chats"));
    });
}

/// Holds `hold_directory`: the lock is tried again. And `Backup::hand_over`: what was handed over counts as being in the directory,
/// not what is here by then.
#[test]
fn what_is_written_while_another_tab_has_the_directory_is_handed_over_next() {
    for is_prompt in [false, true] {
        reactive(|machine, house| {
            assert_eq!(choose(machine, house), Ok(()));
            let write = |id: u64, text: &str| match is_prompt {
                true => _ = house.keep_prompt(Some(Id(id)), text, text),
                false => _ = house.exchange(machine, text, "Yes"),
            };
            let hold = || machine.hold("sash:backup-folder", Box::new(|| ()));
            let first = hold();
            write(3, "First words");
            machine.pass(SOON_MS);
            write(4, "Later words");
            drop(first);
            let second = hold();
            machine.pass(SOON_MS);
            assert!(!contains(machine, "First words"), "it is not free");
            drop(second);
            machine.pass(LATER_MS);
            assert!(contains(machine, "First words") && contains(machine, "Later words"));
        });
    }
}
