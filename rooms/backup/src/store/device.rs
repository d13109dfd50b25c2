//! The directory of this device, which a person chooses in the browser.

use super::edges::{DatabaseUnread, DeviceDirectory};
use super::settings::BackupSettingsStoreFields;
use super::target::DeviceTarget;
use super::{Backup, BackupPhase};
use crate::BackupKey;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_wire::Fault;
use sash_words::t;
use std::rc::Rc;
use std::time::Duration;

/// How often the browser is asked again which directory it remembers, after it could not say.
const SEARCH_INTERVAL: Duration = Duration::from_secs(60);
/// A key is as long as so many ids.
const IDS_OF_KEY: usize = 4;

impl Backup {
    /// Whether this browser lets a person choose a directory.
    #[must_use]
    pub fn can_choose_directory(self) -> bool {
        self.directories.get_value().exist()
    }

    /// Whether the person wants a backup from this browser, also while none can be written.
    #[must_use]
    pub fn is_wanted(self) -> bool {
        let settings = self.settings.current;
        settings.backup_key().with(|key| !key.is_empty())
            || settings.backup_folder().with(Option::is_some)
    }

    /// Has the person choose a directory, in a click; the backup begins there.
    ///
    /// # Errors
    /// Why the directory is not used. Nothing is changed then, neither here nor in the directory.
    pub async fn choose_directory(self) -> Result<(), Fault> {
        let choice = self.choices.begin();
        let chosen = self.directories.get_value().choose().await;
        let Some(chosen) = chosen.filter(|_| choice.is_current()) else {
            return Ok(());
        };
        self.target_on_device(chosen.clone()).hold().await?;
        if !choice.is_current() {
            return Ok(());
        }
        let directory = chosen.clone();
        let is_remembered = self.directories.get_value().remember(directory).await;
        if !choice.is_current() {
            return Ok(());
        }
        let id = chosen.id;
        self.chosen.set(Some(chosen));
        match is_remembered {
            true => self
                .settings
                .change(|settings| settings.backup_folder = Some(id)),
            false => self.notices().show(t!(backup.folder_not_remembered)),
        }
        Ok(())
    }

    /// Has the browser ask the person again whether the directory may be written, in a click.
    pub async fn allow_directory(self) {
        let Some(directory) = self.chosen.get_untracked() else {
            return;
        };
        let id = directory.id;
        let is_allowed = self.directories.get_value().ask(directory).await;
        self.set_allowed(id, is_allowed);
    }

    /// Asks the browser whether the directory may be written still, or again: another tab may have had it ask the person.
    pub async fn check_permission(self) {
        let Some(directory) = self.chosen.get_untracked() else {
            return;
        };
        let id = directory.id;
        let is_allowed = self.directories.get_value().is_allowed(directory).await;
        self.set_allowed(id, is_allowed);
    }

    /// Whether the person has to be asked before the directory of this device is written.
    #[must_use]
    pub fn needs_permission(self) -> bool {
        self.state
            .with(|state| state.phase == BackupPhase::NeedsPermission)
    }

    /// Forgets the key of the server's directory and the directory of this device: this browser has no backup any more. What is in
    /// them stays.
    pub async fn forget(self) {
        self.choices.cancel();
        self.chosen.set(None);
        self.settings.change(|settings| {
            settings.backup_key = String::new();
            settings.backup_folder = None;
            settings.in_step = false;
            settings.no_offer = false;
            // The person knows that the key is missing.
            settings.no_key_reminder = true;
        });
        self.directories.get_value().forget().await;
    }

    /// Leaves the backup at once, before everything here is deleted: nothing is handed over any more.
    pub async fn leave(self) {
        self.stop();
        self.forget().await;
    }

    /// A directory of this device as where the backup is. What this browser writes there it seals with a key of its own.
    pub(super) fn target_on_device(self, directory: DeviceDirectory) -> DeviceTarget {
        if self
            .settings
            .current
            .device_key()
            .with_untracked(String::is_empty)
        {
            let ids = (0..IDS_OF_KEY).map(|_| self.edges.new_id().to_string());
            let key = ids.collect();
            self.settings.change(|settings| settings.device_key = key);
        }
        let key = BackupKey(self.settings.current.device_key().get_untracked());
        DeviceTarget::new(self.edges, Rc::clone(&directory.files), key)
    }

    /// Follows the choice of the settings, which another tab may have made.
    pub(super) fn follow_choice(self, chosen: Option<Id>) {
        let known = self
            .chosen
            .with_untracked(|directory| directory.as_ref().map(|directory| directory.id));
        if chosen == known {
            return;
        }
        if known.is_some() {
            self.chosen.set(None);
        }
        if let Some(id) = chosen {
            self.edges.spawn(self.find_directory(id));
        }
    }

    async fn find_directory(self, id: Id) {
        let choice = self.choices.begin();
        let mut is_said = false;
        loop {
            let found = self.directories.get_value().remembered().await;
            if !choice.is_current() {
                return;
            }
            match found {
                Ok(Some(found)) if found.id == id => return self.chosen.set(Some(found)),
                Ok(_) => {
                    self.settings
                        .change(|settings| settings.backup_folder = None);
                    return self.notices().show(t!(backup.folder_forgotten));
                }
                // It is remembered still, as far as anybody knows.
                Err(DatabaseUnread) => {
                    if !std::mem::replace(&mut is_said, true) {
                        self.notices().show(t!(backup.folder_unread));
                    }
                    self.edges.wait(SEARCH_INTERVAL).await;
                    if !choice.is_current() {
                        return;
                    }
                }
            }
        }
    }

    /// Takes over what the browser says of a directory, unless another one was chosen or this one forgotten meanwhile.
    fn set_allowed(self, id: Id, is_allowed: bool) {
        let is_new = |directory: &Option<DeviceDirectory>| {
            let directory = directory.as_ref();
            directory
                .is_some_and(|directory| directory.id == id && directory.is_allowed != is_allowed)
        };
        if self.chosen.with_untracked(is_new) {
            self.chosen.update(|directory| {
                if let Some(directory) = directory {
                    directory.is_allowed = is_allowed;
                }
            });
        }
    }
}
