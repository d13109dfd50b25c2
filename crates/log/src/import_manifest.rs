//! The manifest of an import: the keys it adds, written before anything is added. Until it says `done`,
//! whoever finds it removes those keys; changing or removing it commits the import. Images are not in the log's
//! store, so the manifest of an import that was undone stays until the page has deleted them.

use super::{Key, Log, Store, StoreError, encode_record};
use sash_chat::{Id, ImageHash};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::collections::BTreeSet;

/// The record under [`Key::Import`].
#[serde_as]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ImportManifest {
    /// Whether all keys are written and only [`Self::systems`] are left to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub done: bool,
    /// The keys that the import adds; all of them were free before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub keys: Vec<String>,
    /// Existing chats whose list of system prompts must grow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub systems: Vec<SystemPrompts>,
    /// The images that the import adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub images: Vec<ImageHash>,
    /// Whether the records are removed again and only [`Self::images`] are left to delete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub undone: bool,
}

/// The system prompts that a chat needs for the receipts of the messages that an import adds to it.
#[serde_as]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SystemPrompts {
    /// The chat.
    pub chat: Id,
    /// Its system prompts, which begin with those that it has.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub systems: Vec<String>,
}

impl<S: Store> Log<S> {
    /// Cleans up after interrupted imports: removes what they added. Called when a log is opened, with the
    /// keys of its store. An import that runs in another tab notices this and stops.
    pub(super) fn recover_imports<'a>(&mut self, keys: impl IntoIterator<Item = &'a String>) {
        // Compare the prefix before parsing: nearly all of thousands of keys are of other kinds.
        for name in keys.into_iter().filter(|name| name.starts_with("sash:in:")) {
            if let Some(Key::Import(id)) = Key::parse(name)
                && let Some(manifest) = self.read::<ImportManifest>(Key::Import(id))
            {
                match manifest {
                    done if done.done => _ = self.finish_import(id, &done),
                    undone if undone.undone => _ = self.leftovers.insert(id, undone.images),
                    running => self.undo_import(id, &running),
                }
            }
        }
    }

    /// The images of imports that were undone. The caller deletes those that nothing refers to, then calls
    /// [`Self::forget_leftover_images`].
    #[must_use]
    pub fn leftover_images(&self) -> BTreeSet<ImageHash> {
        self.leftovers.values().flatten().copied().collect()
    }

    /// Removes the manifests of undone imports whose images are all among these, which are deleted.
    pub fn forget_leftover_images(&mut self, deleted: &BTreeSet<ImageHash>) {
        let is_deleted = |images: &Vec<ImageHash>| images.iter().all(|hash| deleted.contains(hash));
        let ended = self
            .leftovers
            .extract_if(.., |_, images| is_deleted(images));
        let ended: Vec<Id> = ended.map(|(id, _)| id).collect();
        for id in ended {
            self.remove(Key::Import(id));
        }
    }

    /// Writes the manifest of an import. Unlike other records it does not wait for room.
    ///
    /// # Errors
    /// [`StoreError`]; then the former manifest is still stored, if there was one.
    pub fn save_manifest(&mut self, id: Id, manifest: &ImportManifest) -> Result<(), StoreError> {
        let name = Key::Import(id).to_string();
        self.store.set(&name, &encode_record(manifest))
    }

    /// Writes a record that the manifest of a running import names. Unlike other records it does not wait for
    /// room, because an import that finds none is undone.
    ///
    /// # Errors
    /// [`StoreError`]; then the record is not stored.
    pub fn add_imported(&mut self, key: Key, record: &str) -> Result<(), StoreError> {
        let name = key.to_string();
        self.store.set(&name, record)?;
        self.on_key_change(&name, true);
        Ok(())
    }

    /// Removes what an import added; its manifest last, unless images of it are left.
    pub fn undo_import(&mut self, id: Id, manifest: &ImportManifest) {
        for name in &manifest.keys {
            let parsed = Key::parse(name);
            let Some(
                Key::Head(_)
                | Key::Message(..)
                | Key::Tombstone(_)
                | Key::Removed(..)
                | Key::Folder(_)
                | Key::Prompt(_),
            ) = parsed
            else {
                continue;
            };
            self.store.remove_journaled(name);
            self.on_key_change(name, false);
            let Some(chat) = parsed.and_then(Key::chat) else {
                continue;
            };
            let left = self.keys_of(chat).is_some_and(|keys| {
                keys.deleted
                    || keys.has_something()
                    || !keys.tails.is_empty()
                    || !keys.removed.is_empty()
            });
            if !left {
                self.chats.remove(&chat);
            }
        }
        if manifest.images.is_empty() {
            self.remove(Key::Import(id));
            return;
        }
        let undone = ImportManifest {
            images: manifest.images.clone(),
            undone: true,
            ..ImportManifest::default()
        };
        self.leftovers.insert(id, manifest.images.clone());
        // Where this fails, the next start finds the former manifest and comes here again.
        self.save_manifest(id, &undone).ok();
    }

    /// Does what is left once all keys of an import are written, then removes its manifest. Returns whether
    /// there was room for it; if not, the next start tries again.
    pub fn finish_import(&mut self, id: Id, manifest: &ImportManifest) -> bool {
        for wanted in &manifest.systems {
            let Some(mut head) = self.head(wanted.chat) else {
                continue;
            };
            let known = head.systems.len();
            if known < wanted.systems.len() && wanted.systems.get(..known) == Some(&head.systems) {
                head.systems.clone_from(&wanted.systems);
                head.rev = head.rev.wrapping_add(1);
                if self.save_head(&head).is_err() {
                    return false;
                }
            }
        }
        self.remove(Key::Import(id));
        true
    }
}
