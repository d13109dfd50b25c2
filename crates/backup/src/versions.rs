//! Former versions of the files of chats: kept for 30 days, and bounded in size. A file that was changed from outside is
//! among them as it was found, and stays until the person removes it.

use crate::files::FolderFiles;
use crate::folder::{BackupFolder, VERSIONS, chat_path, versions_path};
use sash_chat::Id;
use sash_wire::Fault;
use std::collections::BTreeMap;

/// How long an older version is kept, in milliseconds.
const LIFETIME_MS: u64 = 30 * 24 * 60 * 60 * 1000;
/// The shortest time between two older versions of one chat, in milliseconds, unless a message says something else.
const INTERVAL_MS: u64 = 60 * 60 * 1000;
/// The most older versions of one chat.
const MAX_VERSIONS: usize = 40;
/// The most bytes of all older versions.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// An older version.
#[derive(Debug)]
pub(crate) struct OlderVersion {
    /// When it was replaced, in milliseconds since 1970.
    pub at: u64,
    /// Its path in the folder.
    pub path: String,
    /// Whether something else than Sash changed it.
    pub is_changed: bool,
}

impl<F: FolderFiles + ?Sized> BackupFolder<'_, F> {
    /// The older versions of a chat, oldest first.
    pub(crate) async fn older_versions(&self, chat: Id) -> Result<Vec<OlderVersion>, Fault> {
        let folder = versions_path(chat);
        let entries = self.entries(&folder).await?.into_iter();
        let mut versions: Vec<OlderVersion> = entries
            .filter(|entry| entry.is_file)
            .filter_map(|entry| {
                let (at, kind) = entry.name.strip_suffix(".jsonl")?.split_once('-')?;
                Some(OlderVersion {
                    at: at.parse().ok()?,
                    path: format!("{folder}/{}", entry.name),
                    is_changed: kind == "changed",
                })
            })
            .collect();
        versions.sort_by_key(|version| version.at);
        Ok(versions)
    }

    /// The chats that have older versions.
    pub(crate) async fn versioned_chats(&self) -> Result<Vec<Id>, Fault> {
        let entries = self.entries(VERSIONS).await?.into_iter();
        let folders = entries.filter(|entry| !entry.is_file);
        Ok(folders
            .filter_map(|entry| entry.name.parse().ok())
            .collect())
    }

    /// Keeps the file of a chat as an older version before it is replaced; `is_other` if it must not be lost.
    pub(crate) async fn keep_version(
        &self,
        chat: Id,
        version: u64,
        is_other: bool,
        now: u64,
    ) -> Result<(), Fault> {
        let mut older = self.older_versions(chat).await?;
        older.retain(|version| !version.is_changed);
        let newest = older.last().map_or(0, |version| version.at);
        if !is_other && now.saturating_sub(newest) < INTERVAL_MS {
            return Ok(());
        }
        let name = format!("{now:013}-v{version}.jsonl");
        self.copy_to_versions(chat, &name).await?;
        let too_many = (older.len() + 1).saturating_sub(MAX_VERSIONS);
        for version in older.into_iter().take(too_many) {
            self.files.remove(&version.path).await?;
        }
        Ok(())
    }

    /// Keeps the file of a chat that was changed from outside, as it is.
    pub(crate) async fn set_aside(&self, chat: Id, now: u64) -> Result<(), Fault> {
        let name = format!("{now:013}-changed.jsonl");
        self.copy_to_versions(chat, &name).await
    }

    async fn copy_to_versions(&self, chat: Id, name: &str) -> Result<(), Fault> {
        let to = format!("{}/{name}", versions_path(chat));
        self.files.copy(&chat_path(chat), &to).await
    }

    /// The paths of files that were changed from outside and set aside.
    pub(crate) async fn set_aside_paths(&self) -> Result<Vec<String>, Fault> {
        let mut paths = Vec::new();
        for chat in self.versioned_chats().await? {
            let changed = self.older_versions(chat).await?.into_iter();
            let changed = changed.filter(|version| version.is_changed);
            paths.extend(changed.map(|version| version.path));
        }
        Ok(paths)
    }

    /// Removes the versions that are too old, and of the others the oldest while they are too many bytes.
    ///
    /// # Errors
    /// That the folder cannot be used.
    pub async fn prune_versions(&self) -> Result<(), Fault> {
        self.prune_to(self.files.now(), MAX_BYTES).await
    }

    /// Removes the versions that are too old at a time in milliseconds since 1970, and of the others the oldest while they
    /// have more than `limit` bytes.
    ///
    /// # Errors
    /// That the folder cannot be used.
    pub async fn prune_to(&self, now: u64, limit: u64) -> Result<(), Fault> {
        let mut kept = BTreeMap::new();
        for chat in self.versioned_chats().await? {
            for version in self.older_versions(chat).await? {
                if version.is_changed {
                    continue;
                }
                if now.saturating_sub(version.at) > LIFETIME_MS {
                    self.files.remove(&version.path).await?;
                } else {
                    let size = self.files.size(&version.path).await?;
                    kept.insert((version.at, version.path), size.unwrap_or_default());
                }
            }
            self.files.remove_empty(&versions_path(chat)).await?;
        }
        let mut bytes: u64 = kept.values().sum();
        for ((_, path), size) in kept {
            if bytes <= limit {
                break;
            }
            self.files.remove(&path).await?;
            bytes -= size;
        }
        Ok(())
    }
}
