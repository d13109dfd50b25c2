//! The folders of the list of chats. There are few, so each is read when it is needed.

use super::{FOLDER, Key, KeyValue, Log, StoreError};
use sash_chat::{Folder, Id, Inherited};

impl<S: KeyValue> Log<S> {
    /// A folder, deleted or not.
    pub fn folder(&mut self, id: Id) -> Option<Folder> {
        let folder = self.read::<Folder>(Key::Record(FOLDER, id))?;
        // The key determines the id, whatever the payload says.
        Some(Folder { id, ..folder })
    }

    /// The folders that are not deleted, in their order.
    pub fn list_folders(&mut self) -> Vec<Folder> {
        let mut folders = self.all_folders();
        folders.retain(|folder| folder.deleted.is_none());
        folders.sort_by_key(|folder| (folder.order, folder.id));
        folders
    }

    /// All folders, deleted ones too.
    pub fn all_folders(&mut self) -> Vec<Folder> {
        let ids = self.ids_of(FOLDER).into_iter();
        ids.filter_map(|id| self.folder(id)).collect()
    }

    /// What a chat has from the folder that it names.
    pub fn inherited(&mut self, folder: Option<Id>) -> Inherited {
        folder.and_then(|id| self.folder(id)).into()
    }

    /// Writes a folder.
    ///
    /// # Errors
    /// [`StoreError`]; the record waits for room.
    pub fn save_folder(&mut self, folder: &Folder) -> Result<(), StoreError> {
        self.write(Key::Record(FOLDER, folder.id), folder)
    }

    /// Removes what deleted folders had for good. Their ids stay, so that the folders do not come back from a copy that has them
    /// still.
    pub fn purge_folders(&mut self) {
        for folder in self.all_folders() {
            if folder.deleted.is_some() && !folder.is_purged() {
                // A record that waits for room counts already.
                self.save_folder(&folder.purged()).ok();
            }
        }
    }
}
