//! The folder of this device, which a person chooses in the browser.

use super::edges::ChosenFolder;
use super::settings::BackupSettingsStoreFields;
use super::{Backup, BackupPhase, BackupTarget};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_wire::Fault;
use sash_words::t;
use std::rc::Rc;

impl Backup {
    /// Whether this browser lets a person choose a folder.
    #[must_use]
    pub fn can_choose_folder(self) -> bool {
        self.folders.get_value().exist()
    }

    /// Whether the person wants a backup from this browser, also while none can be written.
    #[must_use]
    pub fn is_wanted(self) -> bool {
        let settings = self.settings.current;
        settings.backup_key().with(|key| !key.is_empty())
            || settings.backup_folder().with(Option::is_some)
    }

    /// Has the person choose a folder, in a click; the backup begins there.
    ///
    /// # Errors
    /// Why the folder is not used. Nothing is changed then, neither here nor in the folder.
    pub async fn choose_folder(self) -> Result<(), Fault> {
        let choice = self.choices.begin();
        let chosen = self.folders.get_value().choose().await;
        let Some(chosen) = chosen.filter(|_| choice.is_current()) else {
            return Ok(());
        };
        let target = BackupTarget::device(self.edges, Rc::clone(&chosen.files));
        target.open().await?;
        if !choice.is_current() {
            return Ok(());
        }
        let folder = chosen.clone();
        let is_remembered = self.folders.get_value().remember(folder).await;
        if !choice.is_current() {
            return Ok(());
        }
        let id = chosen.id;
        self.chosen.set(Some(chosen));
        match is_remembered {
            true => self
                .settings
                .change(|settings| settings.backup_folder = Some(id)),
            false => self.notices().show(t!(state.backup_folder_not_remembered)),
        }
        Ok(())
    }

    /// Has the browser ask the person again whether the folder may be written, in a click.
    pub async fn allow_folder(self) {
        let Some(folder) = self.chosen.get_untracked() else {
            return;
        };
        let id = folder.id;
        let is_allowed = self.folders.get_value().ask(folder).await;
        self.set_allowed(id, is_allowed);
    }

    /// Asks the browser whether the folder may be written still, or again: another tab may have had it ask the person.
    pub async fn check_permission(self) {
        let Some(folder) = self.chosen.get_untracked() else {
            return;
        };
        let id = folder.id;
        let is_allowed = self.folders.get_value().is_allowed(folder).await;
        self.set_allowed(id, is_allowed);
    }

    /// Forgets the key of the server's folder and the folder of this device: this browser has no backup any more. What is
    /// in them stays.
    pub async fn forget(self) {
        self.choices.cancel();
        self.chosen.set(None);
        self.settings.change(|settings| {
            settings.backup_key = String::new();
            settings.backup_folder = None;
        });
        self.folders.get_value().forget().await;
    }

    /// Follows the choice of the settings, which another tab may have made.
    pub(super) fn follow_choice(self, chosen: Option<Id>) {
        let known = self
            .chosen
            .with_untracked(|folder| folder.as_ref().map(|folder| folder.id));
        if chosen == known {
            return;
        }
        if known.is_some() {
            self.chosen.set(None);
        }
        if let Some(id) = chosen {
            self.edges.spawn(self.find_folder(id));
        }
    }

    async fn find_folder(self, id: Id) {
        let choice = self.choices.begin();
        let found = self.folders.get_value().remembered().await;
        if !choice.is_current() {
            return;
        }
        match found.filter(|found| found.id == id) {
            Some(found) => self.chosen.set(Some(found)),
            None => {
                self.settings
                    .change(|settings| settings.backup_folder = None);
                self.notices().show(t!(state.backup_folder_forgotten));
            }
        }
    }

    /// Takes over what the browser says of a folder, unless another one was chosen or this one forgotten meanwhile.
    fn set_allowed(self, id: Id, is_allowed: bool) {
        let is_new = |folder: &Option<ChosenFolder>| {
            let folder = folder.as_ref();
            folder.is_some_and(|folder| folder.id == id && folder.is_allowed != is_allowed)
        };
        if self.chosen.with_untracked(is_new) {
            self.chosen.update(|folder| {
                if let Some(folder) = folder {
                    folder.is_allowed = is_allowed;
                }
            });
        }
    }

    /// Whether the person has to be asked before the folder of this device is written.
    #[must_use]
    pub fn needs_permission(self) -> bool {
        self.state
            .with(|state| state.phase == BackupPhase::NeedsPermission)
    }
}
