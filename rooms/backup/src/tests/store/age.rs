//! An old backup is said.

use super::house::{House, SOON_MS, keep_backup, reactive};
use super::server::KEY;
use crate::store::BackupSettingsStoreFields;
use any_spawner::Executor;
use reactive_graph::prelude::*;
use sash_harness::settle;

/// Longer than a change may be about to be handed over.
const MINUTES_MS: f64 = 120_000.0;

#[test]
fn a_server_that_keeps_no_backup_any_more_is_said_once_a_change_is_hours_old() {
    reactive(|machine, house| {
        house.exchange(machine, "In the backup", "Yes");
        assert!(house.backup.set_key(KEY));
        machine.sleep(1);
        assert_eq!(house.backup.left_behind(), 0, "there never was one");
        keep_backup(machine, house, true);
        machine.pass(SOON_MS);
        assert!(machine.server.contains("In the backup"));
        machine.sleep(1);
        assert_eq!(house.backup.left_behind(), 0, "nothing changed");
        keep_backup(machine, house, false);
        house.exchange(machine, "Here alone", "Yes");
        let left = house.backup.left_behind();
        assert_eq!(left, 0, "the page may be about to write it");
        machine.pass(MINUTES_MS);
        assert_eq!(house.backup.left_behind(), 1);
        let again = House::new(&machine.another_tab());
        assert_eq!(again.backup.left_behind(), 1, "after a reload too");
        keep_backup(machine, house, true);
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Here alone"));
        assert_eq!(house.backup.left_behind(), 0);
        // Who wants no backup is not told of one.
        keep_backup(machine, house, false);
        house.exchange(machine, "Later", "Yes");
        machine.sleep(1);
        assert_eq!(house.backup.left_behind(), 1);
        Executor::spawn_local(house.backup.forget());
        settle();
        machine.pass(100.0);
        assert_eq!(house.backup.left_behind(), 0);
    });
}

#[test]
fn a_chat_that_is_not_in_the_backup_makes_it_old() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.backup.set_key(KEY);
        keep_backup(machine, house, true);
        machine.pass(SOON_MS);
        let fault = crate::BackupFault::TooLong.into();
        *machine.server.broken.borrow_mut() = Some((house.chat(), fault));
        machine.sleep(1);
        house.exchange(machine, "Too much", "Yes");
        machine.pass(SOON_MS);
        machine.sleep(1);
        assert_eq!(house.backup.left_behind(), 1);
    });
}

/// A clock that was ahead said for ever that everything is in the backup.
#[test]
fn a_time_to_come_is_corrected() {
    reactive(|machine, house| {
        house
            .backup
            .settings
            .change(|settings| settings.backed_up = u64::MAX);
        house.exchange(machine, "Hi", "Hello");
        house.backup.set_key(KEY);
        keep_backup(machine, house, true);
        machine.pass(SOON_MS);
        let now = house.kernel.edges().now();
        let backed_up = house.backup.settings.current.backed_up();
        assert!(backed_up.get_untracked() <= now);
    });
}
