//! What the files of chats were before: kept for 30 days, and bounded in size. A file that was changed from outside is
//! among them as it was found, and stays until the person removes it.

use super::disk;
use super::folder::Folder;
use sash_chat::Id;
use sash_wire::Fault;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

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
pub struct OlderVersion {
    /// When it was replaced, in milliseconds since 1970.
    pub at: u64,
    /// The file.
    pub path: PathBuf,
    /// Whether something else than Sash changed it.
    pub is_changed: bool,
    /// Its name in the folder.
    pub name: String,
}

impl Folder {
    /// The older versions of a chat, oldest first.
    pub fn older_versions(&self, chat: Id) -> Result<Vec<OlderVersion>, Fault> {
        let folder = self.versions(chat);
        let entries = self.entries(&folder)?.into_iter();
        let files = entries.filter(|(_, is_file)| *is_file);
        let mut versions: Vec<OlderVersion> = files
            .filter_map(|(name, _)| {
                let (at, kind) = name.strip_suffix(".jsonl")?.split_once('-')?;
                Some(OlderVersion {
                    at: at.parse().ok()?,
                    path: folder.join(&name),
                    is_changed: kind == "changed",
                    name: format!("versions/{chat}/{name}"),
                })
            })
            .collect();
        versions.sort_by_key(|version| version.at);
        Ok(versions)
    }

    /// The chats that have older versions.
    pub fn versioned_chats(&self) -> Result<Vec<Id>, Fault> {
        let entries = self.entries(&self.path("versions"))?.into_iter();
        Ok(entries
            .filter_map(|(name, is_file)| (!is_file).then(|| name.parse().ok())?)
            .collect())
    }

    /// Keeps the file of a chat as an older version before it is replaced; `is_other` if it must not be lost.
    pub fn keep_version(
        &self,
        chat: Id,
        version: u64,
        is_other: bool,
        now: u64,
    ) -> Result<(), Fault> {
        let mut older = self.older_versions(chat)?;
        older.retain(|version| !version.is_changed);
        let newest = older.last().map_or(0, |version| version.at);
        if !is_other && now.saturating_sub(newest) < INTERVAL_MS {
            return Ok(());
        }
        self.copy(chat, &format!("{now:013}-v{version}.jsonl"))?;
        let too_many = (older.len() + 1).saturating_sub(MAX_VERSIONS);
        for version in older.into_iter().take(too_many) {
            disk::remove(&version.path).map_err(|error| disk::problem(&error))?;
        }
        Ok(())
    }

    /// Keeps the file of a chat that was changed from outside, as it is.
    pub fn set_aside(&self, chat: Id, now: u64) -> Result<(), Fault> {
        self.copy(chat, &format!("{now:013}-changed.jsonl"))
    }

    /// Gives the file of a chat a second name, or makes a copy where the disk has no second names.
    fn copy(&self, chat: Id, name: &str) -> Result<(), Fault> {
        let folder = self.versions(chat);
        let (from, to) = (self.chat(chat), folder.join(name));
        let parent = disk::ensure_folder(&self.path("versions"));
        let ready = parent.and_then(|()| disk::ensure_folder(&folder));
        ready.map_err(|error| disk::problem(&error))?;
        if to.symlink_metadata().is_ok() || fs::hard_link(&from, &to).is_ok() {
            return Ok(());
        }
        let bytes = disk::read_bytes(&from, super::folder::MAX_CHAT_BYTES);
        let bytes = bytes.map_err(|error| disk::problem(&error))?;
        self.replace(&to, &bytes.unwrap_or_default())
    }

    /// The names of files that were changed from outside and set aside.
    pub fn set_aside_names(&self) -> Result<Vec<String>, Fault> {
        let mut names = Vec::new();
        for chat in self.versioned_chats()? {
            let changed = self.older_versions(chat)?.into_iter();
            names.extend(
                changed
                    .filter(|version| version.is_changed)
                    .map(|version| version.name),
            );
        }
        Ok(names)
    }

    /// Removes the versions that are too old, and of the others the oldest while they are too many bytes.
    pub fn prune_versions(&self, now: u64) -> Result<(), Fault> {
        self.prune_to(now, MAX_BYTES)
    }

    /// Removes the versions that are too old, and of the others the oldest while they have more than `limit` bytes.
    pub fn prune_to(&self, now: u64, limit: u64) -> Result<(), Fault> {
        let mut kept = BTreeMap::new();
        for chat in self.versioned_chats()? {
            for version in self.older_versions(chat)? {
                if version.is_changed {
                    continue;
                }
                if now.saturating_sub(version.at) > LIFETIME_MS {
                    disk::remove(&version.path).map_err(|error| disk::problem(&error))?;
                } else {
                    let size = version.path.symlink_metadata().map_or(0, |data| data.len());
                    kept.insert((version.at, version.path), size);
                }
            }
            // A folder that is not empty stays.
            fs::remove_dir(self.versions(chat)).ok();
        }
        let mut bytes: u64 = kept.values().sum();
        for ((_, path), size) in kept {
            if bytes <= limit {
                break;
            }
            disk::remove(&path).map_err(|error| disk::problem(&error))?;
            bytes -= size;
        }
        Ok(())
    }
}
