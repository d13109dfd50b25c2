//! The key, links that bring one, and what a second browser is offered.

use super::house::{House, LATER_MS, SOON_MS, backed_up, click, keep_backup, reactive};
use super::server::KEY;
use crate::store::{BackupPhase, BackupSettingsStoreFields};
use crate::{BackupFault, BackupKey};
use reactive_graph::prelude::*;

#[test]
fn the_key_is_asked_for_and_taken_from_what_a_person_has() {
    reactive(|machine, house| {
        keep_backup(machine, house, true);
        assert_eq!(house.phase(), BackupPhase::NeedsKey(None));
        assert!(!house.backup.set_key("no key"));
        let address = format!("http://127.0.0.1:7274/#b={KEY}");
        assert!(house.backup.set_key(&address));
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

#[test]
fn a_wrong_key_is_said_once_and_not_tried_again() {
    reactive(|machine, house| {
        keep_backup(machine, house, true);
        house.backup.set_key(&"0".repeat(64));
        machine.pass(60_000.0);
        let locked = BackupPhase::NeedsKey(Some(BackupFault::Locked.into()));
        assert_eq!(house.phase(), locked);
        assert!(!house.state().is_open());
        let lists = machine.server.lists.get();
        machine.pass(LATER_MS);
        assert_eq!(machine.server.lists.get(), lists);
        house.backup.set_key(KEY);
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

/// A link `#b=…` replaced the key unasked.
#[test]
fn a_link_with_another_key_replaces_none_before_the_person_is_asked() {
    reactive(|machine, house| {
        keep_backup(machine, house, true);
        let link = |key: &str| format!("http://127.0.0.1:7274/#b={key}");
        assert!(house.backup.offer_key(&link(KEY)), "there is none yet");
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
        let foreign = "ab".repeat(32);
        for takes in [false, true] {
            assert!(house.backup.offer_key(&link(&foreign)));
            machine.pass(SOON_MS);
            let state = house.state();
            assert_eq!(state.other_key, Some(BackupKey(foreign.clone())));
            assert_eq!(state.phase, BackupPhase::Done);
            house.backup.answer_other_key(takes);
            machine.pass(SOON_MS);
            assert_eq!(house.state().other_key, None);
            let key = house.backup.settings.current.backup_key().get_untracked();
            assert_eq!(key == foreign, takes);
        }
        assert!(matches!(house.phase(), BackupPhase::NeedsKey(Some(_))));
    });
}

#[test]
fn a_second_browser_is_asked_once_about_the_chats_that_the_backup_has() {
    reactive(|machine, house| {
        house.begin_chats(machine, 3);
        backed_up(machine, house);
        assert_eq!(house.state().offer, None, "the first one is asked nothing");
        let there = machine.another_browser();
        let other = House::new(&there);
        other.exchange(&there, "Mine", "Yes");
        backed_up(&there, other);
        assert_eq!(other.state().offer, Some(3));
        // Its own chats are handed over meanwhile.
        assert!(machine.server.contains("Mine"));
        there.pass(LATER_MS);
        assert_eq!(other.state().offer, Some(3));
        other.backup.answer_offer();
        assert_eq!(other.state().offer, None);
        other.backup.try_again();
        there.pass(SOON_MS);
        assert_eq!(other.state().offer, None);
        // One that is in step has them without a question.
        click(&there, other.backup.forget());
        other.backup.set_in_step(true);
        backed_up(&there, other);
        assert_eq!((other.state().offer, other.titles().len()), (None, 4));
        // One that has handed no chat over is asked after a reload, too.
        let empty = there.another_browser();
        backed_up(&empty, House::new(&empty));
        empty.close_tab();
        let empty = empty.another_tab();
        let reloaded = House::new(&empty);
        backed_up(&empty, reloaded);
        assert_eq!(reloaded.state().offer, Some(4));
    });
}

#[test]
fn the_browsers_of_a_backup_are_known_by_name_and_one_that_is_gone_can_be_removed() {
    reactive(|machine, house| {
        house.exchange(machine, "Everybody has this", "Yes");
        house.backup.set_in_step(true);
        backed_up(machine, house);
        // As soon as it has written, not at the next start.
        let browsers = house.state().browsers;
        let [own] = browsers.as_slice() else {
            panic!("{browsers:?}");
        };
        assert!(own.is_this && own.chats == 1 && own.bytes > 100 && own.last > 0);
        let there = machine.another_browser();
        let other = House::new(&there);
        other.backup.set_in_step(true);
        backed_up(&there, other);
        machine.pass(SOON_MS);
        // It would write again what is removed. Who has just stopped is not reminded of the key.
        click(&there, other.backup.forget());
        let settings = other.backup.settings.current;
        assert!(settings.no_key_reminder().get_untracked());
        machine.pass(SOON_MS);
        let browsers = house.state().browsers;
        let names: Vec<&str> = browsers.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), 2, "{browsers:?}");
        assert!(names.contains(&"Browser 0") && names.contains(&"Browser 1"));
        assert!(
            browsers
                .iter()
                .all(|it| it.chats == 1 && it.bytes > 100 && it.last > 0)
        );
        let gone = browsers
            .iter()
            .find(|it| !it.is_this)
            .expect("the other")
            .id;
        let removed = click(machine, house.backup.remove_browser(gone));
        assert!(matches!(removed, Some(Ok(removed)) if removed.only_here.is_empty()));
        machine.pass(SOON_MS);
        assert_eq!(house.state().browsers.len(), 1);
        assert!(machine.server.contains("Everybody has this"));
    });
}

#[test]
fn a_browser_that_has_neither_chats_nor_prompts_there_is_listed_nowhere_else() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        backed_up(machine, house);
        let there = machine.another_browser();
        let other = House::new(&there);
        backed_up(&there, other);
        machine.pass(LATER_MS);
        let listed = |house: House| house.state().browsers.len();
        assert_eq!(listed(house), 1);
        other.keep_prompt(None, "Mail", "Write a mail");
        machine.pass(LATER_MS);
        assert_eq!((listed(house), listed(other)), (2, 2));
    });
}
