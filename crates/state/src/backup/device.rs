//! The folder of this device, which a person chooses in the browser.

use super::Backup;
use crate::edges::ChosenFolder;
use crate::settings::SettingsStoreFields;
use reactive_graph::prelude::*;
use sash_wire::Fault;

impl Backup {
    /// Whether this browser lets a person choose a folder.
    #[must_use]
    pub fn can_choose_folder(self) -> bool {
        self.edges.with_folders(|folders| folders.exist())
    }

    /// The name of the folder of this device, if the backup is there.
    #[must_use]
    pub fn folder_name(self) -> Option<String> {
        let name = self
            .chosen
            .with(|chosen| chosen.as_ref().map(|chosen| chosen.name.clone()));
        name.filter(|_| !self.is_at_server())
    }

    /// Whether the backup is at the server.
    #[must_use]
    pub fn is_at_server(self) -> bool {
        let key = self.settings.current.backup_key();
        self.is_offered.try_get_value() == Some(true) && key.with_untracked(|key| !key.is_empty())
    }

    /// Whether the person wants a backup from this browser, be it possible now or not.
    pub(crate) fn is_wanted(self) -> bool {
        let settings = &self.settings.current;
        settings.backup_key().with_untracked(|key| !key.is_empty())
            || settings
                .backup_folder()
                .with_untracked(|name| !name.is_empty())
    }

    /// Has the person choose a folder, in a click; the backup begins there.
    ///
    /// # Errors
    /// Why the folder is not used. Nothing is changed then, in the folder neither.
    pub async fn choose_folder(self) -> Result<(), Fault> {
        let chosen = self.edges.with_folders(|folders| folders.choose()).await;
        let Some(chosen) = chosen else {
            return Ok(());
        };
        super::BackupTarget::Device(self.edges, chosen.files.clone())
            .open()
            .await?;
        // Without room to remember it, it is the one of this page.
        self.edges.with_folders(|folders| folders.remember()).await;
        let name = chosen.name.clone();
        self.chosen.set(Some(chosen));
        self.settings
            .change(|settings| settings.backup_folder = name);
        Ok(())
    }

    /// Has the browser ask the person again whether the folder may be written, in a click.
    pub async fn allow_folder(self) {
        let allowed = self.edges.with_folders(|folders| folders.allow()).await;
        if let Some(allowed) = allowed.filter(|folder| folder.is_allowed) {
            self.replace_chosen(allowed);
        }
    }

    /// Forgets the key of the server's folder and the folder of this device: this browser has no backup any more. What is
    /// in them stays.
    pub async fn forget(self) {
        self.chosen.set(None);
        self.settings.change(|settings| {
            settings.backup_key = String::new();
            settings.backup_folder = String::new();
        });
        self.edges.with_folders(|folders| folders.forget()).await;
    }

    /// Looks whether the browser still lets the folder be written.
    pub(super) async fn check_permission(self) {
        let found = self
            .edges
            .with_folders(|folders| folders.remembered())
            .await;
        if let Some(found) = found.filter(|found| !found.is_allowed) {
            self.replace_chosen(found);
        }
    }

    /// Finds the folder of this name, unless it is the one that is known, or forgets that one.
    pub(super) fn follow_choice(self, name: &str) {
        let is_known = |chosen: &Option<ChosenFolder>| match chosen {
            Some(chosen) => chosen.name == name,
            None => name.is_empty(),
        };
        if self.chosen.with_untracked(is_known) {
            return;
        }
        self.chosen.set(None);
        if !name.is_empty() {
            self.edges.spawn(self.find_folder());
        }
    }

    async fn find_folder(self) {
        let found = self
            .edges
            .with_folders(|folders| folders.remembered())
            .await;
        let name = self.settings.current.backup_folder().get_untracked();
        // Meanwhile the person may have chosen one, or forgotten this one.
        let is_unknown = self.chosen.with_untracked(Option::is_none);
        if let Some(found) = found.filter(|found| is_unknown && found.name == name) {
            self.chosen.set(Some(found));
        }
    }

    /// Takes over what the browser says of the folder now, unless the person chose another one or forgot it meanwhile.
    fn replace_chosen(self, folder: ChosenFolder) {
        let is_same = |chosen: &Option<ChosenFolder>| {
            let chosen = chosen.as_ref();
            chosen.is_some_and(|chosen| chosen.name == folder.name)
        };
        if self.chosen.with_untracked(is_same) {
            self.chosen.set(Some(folder));
        }
    }
}
