//! The age of the backup: chats changed hours ago and are not in it, whatever is in the way. It is said also where the
//! server keeps no backup any more, of which the backup itself knows nothing.

use crate::backup::{Backup, BackupPhase, BackupSettingsStoreFields};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_log::ChatListEntry;
use sash_stores::{Edges, Kernel, uses};

/// How old a backup is that is said to be old.
const MAX_AGE_MS: u64 = 3 * 60 * 60 * 1000;
/// How often it is recorded that everything is in the backup while nothing changes.
const RECORD_MS: u64 = 60 * 1000;

/// An old backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldBackup {
    /// When everything was in it last, in milliseconds since 1970.
    pub last: u64,
    /// How many chats changed since.
    pub chats: usize,
}

/// Looks whether the backup is old.
#[derive(Clone, Copy)]
pub struct BackupAge {
    edges: Edges,
    kernel: Kernel,
    backup: StoredValue<Backup>,
    /// The backup, if it is old.
    pub old: RwSignal<Option<OldBackup>>,
    /// Whether it was old when it was looked at last.
    was_old: StoredValue<bool>,
}

uses!(BackupAge.kernel: chats; backup: Backup);

impl BackupAge {
    /// Creates the store. It records when everything is in the backup.
    #[must_use]
    pub fn new(kernel: Kernel, backup: Backup) -> Self {
        let store = Self {
            kernel,
            edges: kernel.edges(),
            backup: StoredValue::new(backup),
            old: RwSignal::new(None),
            was_old: StoredValue::new(false),
        };
        Effect::new(move || {
            if backup.state.with(|state| state.phase == BackupPhase::Done) {
                store.record();
            }
        });
        store
    }

    /// Looks whether the backup is old. It has to be so twice in a row: a page that was just opened is about to write it.
    pub fn check(self) {
        let backed_up = self.backup().settings.current.backed_up().get_untracked();
        let is_done = self
            .backup()
            .state
            .with_untracked(|state| state.phase == BackupPhase::Done);
        let now = self.edges.now();
        let old = self
            .chats()
            .list
            .with_untracked(|chats| old_backup(chats, backed_up, now));
        let old = old.filter(|_| !is_done && untrack(|| self.backup().is_wanted()));
        let was_old = self.was_old.get_value();
        self.was_old.set_value(old.is_some());
        let said = old.filter(|_| was_old);
        if self.old.get_untracked() != said {
            self.old.set(said);
        }
    }

    fn record(self) {
        let now = self.edges.now();
        if self.old.get_untracked().is_some() {
            self.old.set(None);
        }
        let last = self.backup().settings.current.backed_up().get_untracked();
        let has_changed = self
            .chats()
            .list
            .with_untracked(|chats| chats.iter().any(|chat| chat.touched > last));
        if has_changed || now.saturating_sub(last) >= RECORD_MS {
            let settings = self.backup().settings;
            settings.change(|settings| settings.backed_up = now);
        }
    }
}

/// The backup, if chats changed that are not in it, and everything was in it hours ago.
fn old_backup(chats: &[ChatListEntry], backed_up: u64, now: u64) -> Option<OldBackup> {
    if backed_up == 0 || now.saturating_sub(backed_up) <= MAX_AGE_MS {
        return None;
    }
    let is_changed = |chat: &&ChatListEntry| chat.touched > backed_up;
    let changed = chats.iter().filter(is_changed).count();
    (changed > 0).then_some(OldBackup {
        last: backed_up,
        chats: changed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::Id;

    #[test]
    fn a_backup_is_old_once_chats_changed_that_are_not_in_it_for_hours() {
        let chats = [10, 20, 30].map(|minutes| ChatListEntry {
            id: Id(minutes),
            title: String::new(),
            touched: minutes * 60_000,
            pinned: None,
            archived: false,
            folder: None,
        });
        let at = |minutes: u64| minutes * 60_000;
        let said = |backed_up, now| old_backup(&chats, backed_up, now).map(|old| old.chats);
        assert_eq!(said(0, at(40) + MAX_AGE_MS), None, "there never was one");
        assert_eq!(said(at(20), at(21) + MAX_AGE_MS), Some(1));
        assert_eq!(said(at(19), at(21) + MAX_AGE_MS), Some(2));
        assert_eq!(said(at(30), at(31) + MAX_AGE_MS), None, "nothing changed");
        assert_eq!(said(at(19), at(19) + MAX_AGE_MS), None, "not yet");
    }
}
