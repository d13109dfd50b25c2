//! The folders of the list, from which a chat has what it does not say itself.

use super::{ChatEvent, Chats};
use reactive_graph::prelude::*;
use sash_chat::{ChatStoreFields, Folder, HeadStoreFields, Id};

impl Chats {
    /// The folder with an id, unless it is deleted.
    #[must_use]
    pub fn folder(self, id: Id) -> Option<Folder> {
        self.folders
            .with_untracked(|all| all.iter().find(|folder| folder.id == id).cloned())
    }

    /// Has the open chat use the model of its folder.
    pub fn use_folder_model(self) {
        self.change_head(self.open_id_untracked(), |head| head.set_model(None));
        self.notify(ChatEvent::Changed);
    }

    /// Reads the folders from the log again, and what the open chat has from its folder.
    pub fn refresh_folders(self) {
        let folders = self.storage().with_log(|log| log.list_folders());
        self.folders.set(folders.unwrap_or_default());
        let named = self.open.head().folder().get_untracked();
        let inherited = self.storage().with_log(|log| log.inherited(named));
        let Some(inherited) = inherited else {
            return;
        };
        let known = self.open.head().inherited();
        if known.with_untracked(|known| *known != inherited) {
            known.set(inherited);
            self.notify(ChatEvent::Changed);
        }
    }
}
