//! An old backup is said.

use crate::folder::KEY;
use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_calls::KEEPS_BACKUP;
use sash_harness::settle;

/// Longer than changes are collected.
const SOON_MS: f64 = 4_000.0;

/// How many chats are said not to be in the backup, after two looks.
fn said(house: House) -> Option<usize> {
    house.rooms.backup_age.check();
    house.rooms.backup_age.check();
    house
        .rooms
        .backup_age
        .old
        .get_untracked()
        .map(|old| old.chats)
}

fn keep_backup(machine: &Machine, house: House, on: bool) {
    machine.say(KEEPS_BACKUP, on);
    house.engine.refresh();
    machine.pass(SOON_MS);
}

#[test]
fn a_server_that_keeps_no_backup_any_more_is_said_once_a_change_is_hours_old() {
    reactive(|machine, house| {
        house.exchange(machine, "In the folder", "Yes");
        assert!(house.rooms.backup.set_key(KEY));
        keep_backup(machine, house, true);
        assert!(machine.folder.contains("In the folder"));
        machine.sleep(1);
        assert_eq!(said(house), None, "nothing changed");
        keep_backup(machine, house, false);
        house.exchange(machine, "Here alone", "Yes");
        house.rooms.backup_age.check();
        assert_eq!(
            house.rooms.backup_age.old.get_untracked(),
            None,
            "the page may be about to write it"
        );
        assert_eq!(said(house), Some(1));
        let again = House::new(&machine.another_tab());
        assert_eq!(said(again), Some(1), "after a reload too");
        keep_backup(machine, house, true);
        assert!(machine.folder.contains("Here alone"));
        assert_eq!(said(house), None);
        // Who wants no backup is not told of one.
        keep_backup(machine, house, false);
        house.exchange(machine, "Later", "Yes");
        machine.sleep(1);
        assert_eq!(said(house), Some(1));
        any_spawner::Executor::spawn_local(house.rooms.backup.forget());
        settle();
        machine.pass(100.0);
        assert_eq!(said(house), None);
    });
}
