//! Stores of rooms hear of what happens beside others.

use crate::house::reactive;
use sash_chat::Id;
use sash_harness::two_listeners;
use sash_log::Key;
use sash_state::BackupEvent;
use std::collections::BTreeSet;

#[test]
fn the_backup_tells_all_its_listeners() {
    reactive(|_, house| {
        let backup = two_listeners(house.rooms.backup.events(), |event| match event {
            BackupEvent::Joined(_, there) => there.to_string(),
            BackupEvent::Purged(gone, _) => gone.len().to_string(),
        });
        let joined = BackupEvent::Joined(Key::Settings, true);
        house.rooms.backup.events().emit(&joined);
        let purged = BackupEvent::Purged(BTreeSet::from([(Id(1), None)]), BTreeSet::new());
        house.rooms.backup.events().emit(&purged);
        assert_eq!(backup.take(), ["a: true", "b: true", "a: 1", "b: 1"]);
    });
}
