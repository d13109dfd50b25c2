//! The backup in a folder of the device, which the person chose in the browser.

use crate::folder::KEY;
use crate::house::{House, reactive};
use crate::machine::Machine;
use import::ImportState;
use reactive_graph::prelude::*;
use sash_calls::{BackupFault, BackupProblem, BackupPurge, KEEPS_BACKUP};
use sash_chat::Id;
use sash_harness::settle;
use sash_records::prompts::{PromptLog, SavedPrompt};
use sash_state::{BackupPhase, FolderContents};
use sash_stores::edges::{Clock as _, Locks as _};
use sash_wire::Fault;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// Longer than changes are collected.
const SOON_MS: f64 = 4_000.0;
/// Longer than a server takes to renew its lock.
const BEAT_MS: f64 = 50_000.0;

fn phase(house: House) -> BackupPhase {
    let state = house.rooms.backup.state;
    state.with_untracked(|state| state.phase.clone())
}

/// The name of the folder of the device, if the backup is there.
fn device(house: House) -> Option<String> {
    let state = house.rooms.backup.state;
    state.with_untracked(|state| state.device.clone())
}

/// Runs to its end what a click begins.
fn click<T: 'static>(machine: &Machine, run: impl Future<Output = T> + 'static) -> Option<T> {
    let done = Rc::new(RefCell::new(None));
    let result = Rc::clone(&done);
    any_spawner::Executor::spawn_local(async move { *result.borrow_mut() = Some(run.await) });
    machine.pass(BEAT_MS);
    done.take()
}

/// A browser that lets the person choose, and a person who chooses.
fn choose(machine: &Machine, house: House) -> Result<(), Fault> {
    machine.device.exists.set(true);
    machine.device.says_yes.set(true);
    assert!(house.rooms.backup.can_choose_folder());
    click(machine, house.rooms.backup.choose_folder()).expect("an answer")
}

fn contains(machine: &Machine, text: &str) -> bool {
    let files = machine.device.files.files.borrow();
    let mut files = files.values();
    files.any(|file| String::from_utf8_lossy(file).contains(text))
}

#[test]
fn a_chosen_folder_has_each_change_and_gives_it_back_to_another_browser() {
    reactive(|machine, house| {
        assert!(!house.rooms.backup.can_choose_folder());
        house.exchange(machine, "Before", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::Off);
        assert_eq!(choose(machine, house), Ok(()));
        assert_eq!(phase(house), BackupPhase::Done);
        assert_eq!(device(house).as_deref(), Some("Chats"));
        assert!(contains(machine, "Before"));
        assert!(machine.device.files.text("README.txt").is_some());
        house.exchange(machine, "After", "Yes");
        machine.pass(SOON_MS);
        assert!(contains(machine, "After"));
        let written = machine.device.files.written.borrow().len();
        machine.pass(60_000.0);
        assert_eq!(machine.device.files.written.borrow().len(), written);
        // Another browser that has the folder.
        let mut there = machine.another_browser();
        there.device.files = Rc::clone(&machine.device.files);
        let other = House::new(&there);
        assert_eq!(choose(&there, other), Ok(()));
        other.rooms.bring_back.list();
        settle();
        let contents = other.rooms.bring_back.contents.get_untracked();
        assert!(matches!(&contents, FolderContents::Read(list) if list.chats.len() == 1));
        other.plan_chosen();
        there.pass(1_000.0);
        other.imports.run();
        there.pass(1_000.0);
        let done = other.imports.state.get_untracked();
        assert!(matches!(done, ImportState::Done(_)), "{done:?}");
        assert_eq!(other.titles(), house.titles());
        // Both write the same chat: what each wrote stays.
        house.exchange(machine, "From the first", "Yes");
        other.chats.open_chat(house.chat());
        other.exchange(&there, "From the second", "Yes");
        machine.pass(60_000.0);
        there.pass(60_000.0);
        assert!(contains(machine, "From the first") && contains(machine, "From the second"));
    });
}

#[test]
fn a_browser_that_wants_to_ask_again_is_waited_for() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        // After a reload.
        machine.device.is_allowed.set(false);
        let again = House::new(&machine.another_tab());
        machine.pass(SOON_MS);
        assert_eq!(phase(again), BackupPhase::NeedsPermission);
        assert!(
            again
                .rooms
                .backup
                .state
                .with_untracked(|state| !state.is_open())
        );
        again.exchange(machine, "Not allowed yet", "Yes");
        machine.pass(SOON_MS);
        machine.device.says_yes.set(false);
        click(machine, again.rooms.backup.allow_folder());
        assert_eq!(phase(again), BackupPhase::NeedsPermission);
        machine.device.says_yes.set(true);
        click(machine, again.rooms.backup.allow_folder());
        assert!(
            again
                .rooms
                .backup
                .state
                .with_untracked(|state| state.is_open())
        );
    });
    // While the page is open.
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.device.is_allowed.set(false);
        let files = &machine.device.files;
        files.problem.set(Some(BackupProblem::Denied));
        house.exchange(machine, "Not allowed any more", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::NeedsPermission);
        files.problem.set(None);
        click(machine, house.rooms.backup.allow_folder());
        assert_eq!(phase(house), BackupPhase::Done);
        assert!(contains(machine, "Not allowed any more"));
    });
}

#[test]
fn a_folder_of_something_else_is_refused_and_left_as_it_is() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let files = Rc::clone(&machine.device.files);
        let problem = |problem| Err(BackupFault::Failed { problem }.into());
        files.set_text("letter.txt", Some("Dear".into()));
        assert_eq!(choose(machine, house), problem(BackupProblem::NotEmpty));
        assert_eq!(files.files.borrow().len(), 1);
        assert!(machine.device.remembered.borrow().is_none());
        files.set_text("letter.txt", None);
        files.set_text(".gitignore", Some("lock".into()));
        // A server renews its lock.
        files.set_text("key", Some(KEY.into()));
        files.set_text("lock", Some("1".into()));
        let beating = Rc::clone(&files);
        let beat = move || beating.set_text("lock", Some("2".into()));
        machine.after(Duration::from_secs(5), Box::new(beat));
        assert_eq!(choose(machine, house), problem(BackupProblem::Taken));
        assert_eq!(phase(house), BackupPhase::Off);
        // One that was killed does not.
        assert_eq!(choose(machine, house), Ok(()));
        machine.pass(BEAT_MS);
        assert!(contains(machine, "Hi"));
    });
}

#[test]
fn a_folder_that_cannot_be_written_loses_nothing() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        let files = Rc::clone(&machine.device.files);
        files.problem.set(Some(BackupProblem::Full));
        house.exchange(machine, "While the disk was full", "Yes");
        machine.pass(SOON_MS);
        let full = BackupFault::Failed {
            problem: BackupProblem::Full,
        }
        .into();
        assert_eq!(phase(house), BackupPhase::Failed(full));
        files.problem.set(None);
        machine.pass(600_000.0);
        assert!(contains(machine, "While the disk was full"));
        assert_eq!(phase(house), BackupPhase::Done);
    });
}

#[test]
fn what_is_deleted_for_good_goes_from_the_folder_and_a_forgotten_folder_is_left_alone() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        house.exchange(machine, "To be deleted", "Yes");
        machine.pass(SOON_MS);
        let chats = vec![house.chat()];
        let messages = Vec::new();
        let purge = house
            .rooms
            .backup
            .purge(BackupPurge::Some { chats, messages });
        assert!(matches!(click(machine, purge), Some(Ok(_))));
        assert!(!contains(machine, "To be deleted"));
        house.chats.begin_chat();
        house.exchange(machine, "This stays", "Yes");
        machine.pass(SOON_MS);
        click(machine, house.rooms.backup.forget());
        assert_eq!(phase(house), BackupPhase::Off);
        house.exchange(machine, "No backup of this", "Yes");
        machine.pass(SOON_MS);
        assert!(contains(machine, "This stays") && !contains(machine, "No backup of this"));
        let again = House::new(&machine.another_tab());
        machine.pass(SOON_MS);
        assert_eq!(phase(again), BackupPhase::Off);
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
        click(machine, house.rooms.backup.forget());
        other.tabs.on_storage_event(Some("sash:set"), true);
        there.pass(SOON_MS);
        assert_eq!(device(other), None);
    });
}

#[test]
fn the_folder_of_the_server_comes_first() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.say(KEEPS_BACKUP, true);
        house.engine.refresh();
        machine.pass(SOON_MS);
        house.exchange(machine, "Into the device", "Yes");
        machine.pass(SOON_MS);
        assert!(contains(machine, "Into the device"));
        assert!(house.rooms.backup.set_key(KEY));
        machine.pass(SOON_MS);
        assert_eq!(phase(house), BackupPhase::Done);
        assert_eq!(device(house), None);
        house.exchange(machine, "Into the server's", "Yes");
        machine.pass(SOON_MS);
        assert!(machine.folder.contains("Into the server's"));
        assert!(!contains(machine, "Into the server's"));
    });
}

#[test]
fn of_two_choices_the_later_one_counts_however_long_the_first_takes() {
    reactive(|machine, house| {
        let files = Rc::clone(&machine.device.files);
        files.set_text("key", Some(KEY.into()));
        files.set_text("lock", Some("of a server that was killed".into()));
        machine.device.says_yes.set(true);
        any_spawner::Executor::spawn_local(async move {
            // What a choice that gave way finds is not said any more.
            house.rooms.backup.choose_folder().await.ok();
        });
        machine.pass(1_000.0);
        click(machine, house.rooms.backup.forget());
        machine.pass(BEAT_MS);
        assert_eq!(device(house), None);
        assert!(machine.device.remembered.borrow().is_none());
        assert_eq!(phase(house), BackupPhase::Off);
    });
}

#[test]
fn a_folder_whose_server_begins_later_is_left_to_it() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        let files = Rc::clone(&machine.device.files);
        files.set_text("lock", Some("a heartbeat".into()));
        house.exchange(machine, "While a server has it", "Yes");
        machine.pass(SOON_MS);
        let problem = BackupProblem::Taken;
        let taken = Fault::from(BackupFault::Failed { problem });
        assert_eq!(phase(house), BackupPhase::Failed(taken.clone()));
        let (chats, messages) = (vec![house.chat()], Vec::new());
        let purge = house
            .rooms
            .backup
            .purge(BackupPurge::Some { chats, messages });
        assert_eq!(click(machine, purge), Some(Err(taken)));
        assert!(!contains(machine, "While a server has it"));
        // It stopped, and emptied its lock.
        files.set_text("lock", Some(String::new()));
        machine.pass(600_000.0);
        assert!(contains(machine, "While a server has it"));
    });
}

#[test]
fn a_project_with_a_readme_of_its_own_is_no_backup() {
    reactive(|machine, house| {
        let files = Rc::clone(&machine.device.files);
        files.set_text("README.txt", Some("My project".into()));
        let problem = BackupProblem::NotEmpty;
        assert_eq!(
            choose(machine, house),
            Err(BackupFault::Failed { problem }.into())
        );
        let old = "This folder is a backup that Sash keeps (sash --backup).\r\n";
        files.set_text("README.txt", Some(old.into()));
        files.set_text("chats/x.jsonl.crswap", Some("half a".into()));
        files.set_text(".DS_Store", Some("x".into()));
        assert_eq!(choose(machine, house), Ok(()));
        assert_eq!(files.text("chats/x.jsonl.crswap"), None, "of a killed page");
    });
}

#[test]
fn what_the_browser_does_not_remember_is_said() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.device.forgets.set(true);
        machine.device.says_yes.set(true);
        any_spawner::Executor::spawn_local(async move {
            assert_eq!(house.rooms.backup.choose_folder().await, Ok(()));
        });
        machine.pass(100.0);
        let said = house.toast().expect("a notice");
        assert!(said.contains("cannot remember the folder"), "{said}");
        assert!(contains(machine, "Hi"));
        machine.device.forgets.set(false);
        assert_eq!(choose(machine, house), Ok(()));
        *machine.device.remembered.borrow_mut() = None;
        let again = House::new(&machine.another_tab());
        machine.pass(100.0);
        let said = again.toast().expect("a notice");
        assert!(said.contains("has forgotten the folder"), "{said}");
        assert!(!again.rooms.backup.is_wanted());
    });
}

#[test]
fn with_a_key_nothing_goes_into_the_device_and_what_is_deleted_goes_from_both() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        house.exchange(machine, "In both", "Yes");
        machine.pass(SOON_MS);
        machine.say(KEEPS_BACKUP, true);
        house.engine.refresh();
        assert!(house.rooms.backup.set_key(KEY));
        machine.pass(SOON_MS);
        assert!(machine.folder.contains("In both") && contains(machine, "In both"));
        house.exchange(machine, "In the server's alone", "Yes");
        machine.pass(SOON_MS);
        // A page that has just begun does not know yet whether the server keeps a backup.
        let again = House::new(&machine.another_tab());
        machine.pass(SOON_MS);
        assert!(!contains(machine, "In the server's alone"));
        let (chats, messages) = (vec![house.chat()], Vec::new());
        let purge = house
            .rooms
            .backup
            .purge(BackupPurge::Some { chats, messages });
        assert!(matches!(click(machine, purge), Some(Ok(_))));
        assert!(!machine.folder.contains("In both") && !contains(machine, "In both"));
        assert_eq!(device(again), None);
    });
}

/// Holds `Backup::allow_folder` and `Backup::check_permission`: what the browser says counts for the folder that was asked
/// about.
#[test]
fn what_the_browser_says_of_a_folder_that_gave_way_to_another_does_not_count() {
    for asks_person in [true, false] {
        reactive(|machine, house| {
            assert_eq!(choose(machine, house), Ok(()));
            machine.device.says_yes.set(false);
            machine.device.is_allowed.set(false);
            let answer = machine.device.slow.hold_back();
            let backup = house.rooms.backup;
            any_spawner::Executor::spawn_local(async move {
                match asks_person {
                    true => backup.allow_folder().await,
                    false => backup.check_permission().await,
                }
            });
            settle();
            assert_eq!(choose(machine, house), Ok(()), "another folder");
            assert_eq!(phase(house), BackupPhase::Done);
            assert!(answer.send(()).is_ok());
            machine.pass(BEAT_MS);
            assert_eq!(phase(house), BackupPhase::Done);
        });
    }
}

/// Holds `Backup::find_folder`: a choice that followed counts.
#[test]
fn a_folder_that_is_chosen_while_the_remembered_one_is_looked_for_stays() {
    reactive(|machine, house| {
        assert_eq!(choose(machine, house), Ok(()));
        machine.device.forgets.set(true);
        *machine.device.remembered.borrow_mut() = None;
        let answer = machine.device.slow.hold_back();
        let again = House::new(&machine.another_tab());
        assert_eq!(device(again), None, "it is looked for");
        assert_eq!(choose(machine, again), Ok(()));
        assert!(answer.send(()).is_ok());
        machine.pass(BEAT_MS);
        assert_eq!(device(again).as_deref(), Some("Chats"));
    });
}

/// Holds `hold_folder`: the lock is tried again. And `Backup::write_chat` and `Backup::write_prompts`: what was handed over
/// counts as being in the folder, not what is here by then.
#[test]
fn what_is_written_while_another_tab_has_the_folder_is_handed_over_next() {
    for is_prompt in [false, true] {
        reactive(|machine, house| {
            assert_eq!(choose(machine, house), Ok(()));
            let write = |id: Id, text: &str| match is_prompt {
                true => {
                    let prompt = SavedPrompt::new(id, text, text);
                    assert!(house.storage.write(|log| log.save_prompt(&prompt)));
                }
                false => _ = house.exchange(machine, text, "Yes"),
            };
            let hold = || machine.hold("sash:backup-folder", Box::new(|| ()));
            let first = hold();
            write(Id(3), "First words");
            machine.pass(SOON_MS);
            write(Id(4), "Later words");
            drop(first);
            let second = hold();
            machine.pass(SOON_MS);
            assert!(!contains(machine, "First words"), "it is not free");
            drop(second);
            machine.pass(BEAT_MS);
            assert!(contains(machine, "First words") && contains(machine, "Later words"));
        });
    }
}
