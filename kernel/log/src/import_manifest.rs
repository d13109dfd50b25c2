//! The manifest of an import: the keys it adds, written before anything is added. Until it says `done`,
//! whoever finds it removes those keys; changing or removing it commits the import. What a person changed or added meanwhile
//! stays, with the heads and folders that belong to it. Images are not in the log's
//! store, so the manifest of an import that was undone stays until the page has deleted them.

use super::{ChatKeys, FOLDER, Key, KeyValue, Log, StoreError, encode_record, revision};
use sash_chat::{Id, ImageHash};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};
use std::collections::{BTreeMap, BTreeSet};

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
    /// The revisions of the records that may be rewritten, as the import writes them: one that has another was changed since.
    /// Manifests of earlier versions have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub revisions: BTreeMap<String, u64>,
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

/// The folder that a head names, read without the rest of it.
#[serde_as]
#[derive(Deserialize)]
struct NamedFolder {
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    folder: Option<Id>,
}

/// Whether an import writes records under this key. A manifest that names another one was not written by an import.
fn is_imported(key: Key) -> bool {
    match key {
        Key::Head(_)
        | Key::Message(..)
        | Key::Segment(..)
        | Key::Tombstone(_)
        | Key::Removed(..) => true,
        Key::Record(kind, _) => kind.in_files,
        Key::Meta
        | Key::Settings
        | Key::Tail(..)
        | Key::Import(_)
        | Key::Stop(_)
        | Key::Reserve => false,
    }
}

impl<S: KeyValue> Log<S> {
    /// Cleans up after interrupted imports: removes what they added. Called when a log is opened, with the
    /// keys of its store. An import that runs in another tab notices this and stops.
    pub(super) fn recover_imports<'a>(&mut self, keys: impl IntoIterator<Item = &'a String>) {
        // Compare the prefix before parsing: nearly all of thousands of keys are of other kinds.
        for name in keys.into_iter().filter(|name| name.starts_with("sash:in:")) {
            if let Some(Key::Import(id)) = self.key(name)
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
        self.add_imported(Key::Import(id), &encode_record(manifest))
    }

    /// The keys of imports that are under way, in this tab or another one: until they are done, what is under these may be
    /// taken back.
    pub fn keys_of_imports(&mut self) -> BTreeSet<Key> {
        let imports = self.imports.clone();
        let manifests = imports.into_iter().filter_map(|import| {
            let manifest = self.read::<ImportManifest>(Key::Import(import))?;
            (!manifest.done && !manifest.undone).then_some(manifest.keys)
        });
        let names: Vec<String> = manifests.flatten().collect();
        names.iter().filter_map(|name| self.key(name)).collect()
    }

    /// Writes a record that does not wait for room. Without room the journal is as before, too: a start would bring back what
    /// it notes.
    pub(super) fn set_or_leave(&mut self, name: &str, record: &str) -> Result<(), StoreError> {
        let set = self.store.set(name, record);
        if set.is_err() {
            match self.store.get(name) {
                // It is as long as it was. Where it fails all the same, the journal has the new one.
                Some(former) => self.store.set(name, &former).unwrap_or_default(),
                None => self.store.remove_journaled(name),
            }
        }
        set
    }

    /// Writes a record that does not wait for room: one that the manifest of a running import names, because an import that
    /// finds none is undone, or one without which nothing is lost.
    ///
    /// # Errors
    /// [`StoreError`]; then the record is not stored.
    pub fn add_imported(&mut self, key: Key, record: &str) -> Result<(), StoreError> {
        let name = key.to_string();
        self.set_or_leave(&name, record)?;
        self.on_key_change(&name, true);
        Ok(())
    }

    /// Removes what an import added; its manifest last, unless images of it are left. A record that was changed since stays.
    /// The head of a chat stays with anything in the chat that the import did not write, a folder with a chat in it.
    pub fn undo_import(&mut self, id: Id, manifest: &ImportManifest) {
        let keys = manifest.keys.iter().filter_map(|name| self.key(name));
        let mut added: BTreeSet<Key> = keys.filter(|key| is_imported(*key)).collect();
        added.retain(|key| !self.is_changed(*key, manifest));
        let chats: BTreeSet<Id> = added.iter().filter_map(|key| key.chat()).collect();
        let is_used = |chat: &Id| self.keys_in(*chat).iter().any(|key| !added.contains(key));
        let used: BTreeSet<Id> = chats.into_iter().filter(is_used).collect();
        added.retain(|key| !matches!(key, Key::Head(chat) if used.contains(chat)));
        let (folders, others): (Vec<Key>, Vec<Key>) = added
            .into_iter()
            .partition(|key| matches!(key, Key::Record(FOLDER, _)));
        for key in others {
            self.take_back(key);
        }
        if !folders.is_empty() {
            let named: BTreeSet<Id> = self.named_folders().map(|(_, folder)| folder).collect();
            for key in folders {
                if !matches!(key, Key::Record(_, folder) if named.contains(&folder)) {
                    self.take_back(key);
                }
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

    /// Whether the record under a key is no longer the one that the import wrote.
    fn is_changed(&self, key: Key, manifest: &ImportManifest) -> bool {
        let name = key.to_string();
        let written = manifest.revisions.get(&name);
        let present = self.record(&name);
        let present = present.and_then(|record| revision(key, &record));
        // One that is gone or that cannot be read is not a later one.
        present.is_some() && written.is_some() && present.as_ref() != written
    }

    /// Removes a record as if it had never been written.
    pub(super) fn take_back(&mut self, key: Key) {
        let name = key.to_string();
        self.waiting.remove(&name);
        self.note_revision(key);
        self.store.remove_journaled(&name);
        self.on_key_change(&name, false);
        if let Some(chat) = key.chat()
            && self.chats.get(&chat).is_some_and(ChatKeys::is_empty)
        {
            self.chats.remove(&chat);
        }
    }

    /// The chats that are in folders, with their folders.
    fn named_folders(&mut self) -> impl Iterator<Item = (Id, Id)> {
        let chats = self.all_chats().into_iter();
        chats.filter_map(|chat| {
            let head = self.read::<NamedFolder>(Key::Head(chat))?;
            Some((chat, head.folder?))
        })
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
