//! The age of the backup: chats changed hours ago and are not in it, whatever is in the way. It is said also where the server
//! keeps no backup any more, of which the backup itself knows nothing.

use super::settings::BackupSettingsStoreFields;
use super::{Backup, BackupState};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::prelude::*;
use sash_log::ChatListEntry;

/// How old a backup is that is said to be old.
const MAX_AGE_MS: u64 = 3 * 60 * 60 * 1000;
/// So long after a change it is about to be handed over.
const HANDOVER_MS: u64 = 60 * 1000;

impl Backup {
    /// How many chats changed since everything was in the backup last, if that was hours ago and the person wants a backup.
    #[must_use]
    pub fn left_behind(self) -> usize {
        let backed_up = self.settings.current.backed_up().get();
        let now = self.edges.now();
        let is_old = backed_up > 0 && now.saturating_sub(backed_up) > MAX_AGE_MS;
        if !is_old || !self.is_wanted() || self.state.with(BackupState::has_everything) {
            return 0;
        }
        let is_left = |chat: &&ChatListEntry| {
            chat.touched > backed_up && now.saturating_sub(chat.touched) > HANDOVER_MS
        };
        let list = self.chats().list;
        list.with(|chats| chats.iter().filter(is_left).count())
    }

    /// Records in the settings when everything was in the backup.
    pub(super) fn record_age(self) {
        let has_everything = Memo::new(move |_| self.state.with(BackupState::has_everything));
        Effect::new(move || {
            if has_everything.get() {
                let now = self.edges.now();
                self.settings.change(|settings| settings.backed_up = now);
            }
        });
    }
}
