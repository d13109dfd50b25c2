//! Deleted is deleted: texts and images go from the files and from all older versions. A tombstone stays for good, so
//! that no other browser writes the chat again.

use crate::files::FolderFiles;
use crate::folder::{
    BackupFolder, CHATS, IMAGES, chat_of, chat_path, others_outside_chats, versions_path,
};
use sash_calls::{BackupFault, BackupPurge, BackupPurgeRequest, BackupPurged};
use sash_chat::{Id, ImageHash};
use sash_log::checksum;
use sash_transfer::backup::{
    BackupFile, BackupRecord, UnreadableBackup, count_messages, image_hashes, message_ids,
    purge_chat, purge_messages, without_messages,
};
use sash_wire::Fault;
use std::collections::{BTreeMap, BTreeSet};

impl<F: FolderFiles + ?Sized> BackupFolder<'_, F> {
    /// Removes chats and messages for good.
    ///
    /// # Errors
    /// [`BackupFault::Newer`] if a newer Sash wrote a file of them, [`BackupFault::Changed`] if a chat has messages that the
    /// browser does not know: nothing is removed then. That the folder cannot be written; asking again goes on.
    pub async fn purge(&self, request: &BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        let mut messages: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
        let chats: BTreeSet<Id> = match &request.what {
            BackupPurge::Everything => self.all_chats().await?,
            BackupPurge::Some {
                chats,
                messages: some,
            } => {
                for (chat, ids) in some {
                    messages.entry(*chat).or_default().extend(ids);
                }
                chats.iter().copied().collect()
            }
        };
        let none = BTreeSet::new();
        for chat in chats.union(&messages.keys().copied().collect()) {
            let is_strict = request.only_known && chats.contains(chat);
            let known = messages.get(chat).unwrap_or(&none);
            self.check_purgeable(*chat, is_strict.then_some(known))
                .await?;
        }
        if request.what == BackupPurge::Everything {
            self.purge_all_prompts(request.writer).await?;
        }
        let mut images = BTreeSet::new();
        for chat in chats {
            let known: Vec<Id> = messages.remove(&chat).into_iter().flatten().collect();
            self.purge_chat(chat, &known, request.writer, &mut images)
                .await?;
        }
        for (chat, ids) in messages {
            self.purge_messages_of(chat, &ids, request.writer, &mut images)
                .await?;
        }
        if request.what == BackupPurge::Everything {
            // Also those of a purge that was broken off.
            images.extend(self.images().await?);
        }
        if !images.is_empty() {
            let still_there = self.images_in_texts().await?;
            for image in images.difference(&still_there) {
                self.remove_image(*image).await?;
            }
        }
        Ok(BackupPurged {
            others: self.count_others().await?,
        })
    }

    /// The chats that have a file or an older version.
    async fn all_chats(&self) -> Result<BTreeSet<Id>, Fault> {
        let entries = self.entries(CHATS).await?;
        let files = entries.iter().filter(|entry| entry.is_file);
        let mut chats: BTreeSet<Id> = files.filter_map(|entry| chat_of(&entry.name)).collect();
        chats.extend(self.versioned_chats().await?);
        Ok(chats)
    }

    /// `known`: all messages that the chat may have.
    async fn check_purgeable(&self, chat: Id, known: Option<&BTreeSet<Id>>) -> Result<(), Fault> {
        let text = self.read_text(&chat_path(chat)).await?;
        match text.as_deref().map(BackupFile::parse) {
            Some(Err(UnreadableBackup::Newer)) => Err(BackupFault::Newer.into()),
            Some(Ok(file))
                if known.is_some_and(|known| {
                    file.is_intact && message_ids(file.rest).iter().any(|id| !known.contains(id))
                }) =>
            {
                let version = file.header.backup.version;
                Err(BackupFault::Changed { version }.into())
            }
            _ => Ok(()),
        }
    }

    async fn purge_chat(
        &self,
        chat: Id,
        known: &[Id],
        writer: Id,
        images: &mut BTreeSet<ImageHash>,
    ) -> Result<(), Fault> {
        let path = chat_path(chat);
        let at = self.files.now();
        // Without a file too: another browser may have the chat, and must not write it any more.
        let text = self.read_text(&path).await?.unwrap_or_default();
        images.extend(image_hashes(&text));
        let (record, rest) = match BackupFile::parse(&text) {
            Ok(file) => (file.header.backup, file.rest),
            Err(_) => (BackupRecord::default(), text.as_str()),
        };
        if !record.purged {
            let next = BackupRecord {
                purged: true,
                ..record.next(writer, "", "")
            };
            let lines = purge_chat(rest, chat, known, at);
            self.write_text(&path, &next.file(&lines, 0, at)).await?;
            self.files.on_written(chat, &checksum(&lines));
        }
        for version in self.older_versions(chat).await? {
            let text = self.read_text(&version.path).await?;
            images.extend(image_hashes(&text.unwrap_or_default()));
            self.files.remove(&version.path).await?;
        }
        // The folder stays if something that is none of ours is in it.
        self.files.remove_empty(&versions_path(chat)).await
    }

    async fn purge_messages_of(
        &self,
        chat: Id,
        ids: &BTreeSet<Id>,
        writer: Id,
        images: &mut BTreeSet<ImageHash>,
    ) -> Result<(), Fault> {
        let path = chat_path(chat);
        let at = self.files.now();
        if let Some(text) = self.read_text(&path).await?
            && let Ok(file) = BackupFile::parse(&text)
            && let Some(rest) = purge_messages(file.rest, chat, ids, at)
        {
            images.extend(image_hashes(file.rest));
            // What each writer said of the chat is not true any more, so each writes it again.
            // The title may be the beginning of a text that goes.
            let mut next = file.header.backup.next(writer, "", "");
            next.writers.clear();
            let file = next.file(&rest, count_messages(&rest), at);
            self.write_text(&path, &file).await?;
            self.files.on_written(chat, &checksum(&rest));
        }
        for version in self.older_versions(chat).await? {
            let text = self.read_text(&version.path).await?.unwrap_or_default();
            let file = BackupFile::parse(&text).ok();
            let rest = file.as_ref().map_or(text.as_str(), |file| file.rest);
            let left = without_messages(rest, chat, ids);
            if left.is_some() {
                images.extend(image_hashes(rest));
            }
            let written = match file {
                None => left,
                Some(file) => {
                    let mut record = file.header.backup;
                    // Also that of a version without these messages.
                    let has_title =
                        !version.is_changed && !std::mem::take(&mut record.title).is_empty();
                    let left = left.or_else(|| has_title.then(|| rest.to_owned()));
                    left.map(|left| record.file(&left, count_messages(&left), file.header.exported))
                }
            };
            if let Some(written) = written {
                self.write_text(&version.path, &written).await?;
            }
        }
        Ok(())
    }

    /// All images that any file still names.
    async fn images_in_texts(&self) -> Result<BTreeSet<ImageHash>, Fault> {
        let mut paths = Vec::new();
        for entry in self.entries(CHATS).await? {
            if entry.is_file {
                paths.push(format!("{CHATS}/{}", entry.name));
            }
        }
        for chat in self.versioned_chats().await? {
            let versions = self.older_versions(chat).await?;
            paths.extend(versions.into_iter().map(|version| version.path));
        }
        let mut images = BTreeSet::new();
        for path in paths {
            images.extend(image_hashes(
                &self.read_text(&path).await?.unwrap_or_default(),
            ));
        }
        Ok(images)
    }

    /// How many files of the folder are none of Sash's.
    async fn count_others(&self) -> Result<usize, Fault> {
        let entries = self.entries(CHATS).await?;
        let others = entries
            .iter()
            .filter(|entry| !entry.is_file || chat_of(&entry.name).is_none());
        let (root, images) = (self.entries("").await?, self.entries(IMAGES).await?);
        Ok(others.count() + others_outside_chats(&root, &images).len())
    }
}
