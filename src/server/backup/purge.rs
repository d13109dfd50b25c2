//! Deleted is deleted: texts and images go from the files and from all older versions. A tombstone stays for good, so
//! that no other browser writes the chat again.

use super::Backup;
use super::chats::chat_of;
use super::disk;
use super::error::now;
use sash_chat::{Id, ImageHash};
use sash_log::checksum;
use sash_transfer::backup::{
    BackupFile, BackupRecord, UnreadableBackup, count_messages, image_hashes, purge_chat,
    purge_messages, without_messages,
};
use sash_wire::{BackupPurge, BackupPurgeRequest, BackupPurged, Fault};
use std::collections::BTreeSet;

impl Backup {
    /// Removes chats and messages for good.
    ///
    /// # Errors
    /// [`Fault::BackupNewer`] if a newer Sash wrote a file of them: nothing is removed then. That the folder cannot be
    /// written; asking again goes on.
    pub fn purge(&self, request: &BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        self.write(|| self.purge_alone(request))
    }

    fn purge_alone(&self, request: &BackupPurgeRequest) -> Result<BackupPurged, Fault> {
        let (chats, messages) = match &request.what {
            BackupPurge::Everything => (self.all_chats()?, Vec::new()),
            BackupPurge::Some { chats, messages } => (chats.clone(), messages.clone()),
        };
        for chat in chats.iter().chain(messages.iter().map(|(chat, _)| chat)) {
            self.check_purgeable(*chat)?;
        }
        if request.what == BackupPurge::Everything {
            self.purge_all_prompts(request.writer)?;
        }
        let mut images = BTreeSet::new();
        let (of_chats, messages): (Vec<_>, Vec<_>) = messages
            .into_iter()
            .partition(|(chat, _)| chats.contains(chat));
        for chat in chats {
            let known = of_chats.iter().filter(|(of, _)| *of == chat);
            let known: Vec<Id> = known.flat_map(|(_, ids)| ids.iter().copied()).collect();
            self.purge_chat(chat, &known, request, &mut images)?;
        }
        for (chat, ids) in messages {
            let ids = ids.into_iter().collect();
            self.purge_messages_of(chat, &ids, request, &mut images)?;
        }
        let still_there = self.images_in_texts()?;
        for image in images.difference(&still_there) {
            self.remove_image(*image)?;
        }
        Ok(BackupPurged {
            others: self.others()?,
        })
    }

    /// The chats that have a file or an older version.
    fn all_chats(&self) -> Result<Vec<Id>, Fault> {
        let entries = self.folder.entries(&self.folder.path("chats"))?;
        let mut chats: BTreeSet<Id> = entries
            .iter()
            .filter_map(|(name, is_file)| chat_of(name).filter(|_| *is_file))
            .collect();
        chats.extend(self.folder.versioned_chats()?);
        Ok(chats.into_iter().collect())
    }

    fn check_purgeable(&self, chat: Id) -> Result<(), Fault> {
        let text = self.folder.read(&self.folder.chat(chat))?;
        match text.as_deref().map(BackupFile::parse) {
            Some(Err(UnreadableBackup::Newer)) => Err(Fault::BackupNewer),
            _ => Ok(()),
        }
    }

    fn purge_chat(
        &self,
        chat: Id,
        known: &[Id],
        request: &BackupPurgeRequest,
        images: &mut BTreeSet<ImageHash>,
    ) -> Result<(), Fault> {
        let path = self.folder.chat(chat);
        let at = now();
        // Without a file too: another browser may have the chat, and must not write it any more.
        let text = self.folder.read(&path)?.unwrap_or_default();
        images.extend(image_hashes(&text));
        let (record, rest) = match BackupFile::parse(&text) {
            Ok(file) => (file.header.backup, file.rest),
            Err(_) => (BackupRecord::default(), text.as_str()),
        };
        if !record.purged {
            let next = BackupRecord {
                purged: true,
                ..record.next(request.writer, "", "")
            };
            let lines = purge_chat(rest, chat, known, at);
            let file = next.file(&lines, 0, at);
            self.folder.replace(&path, file.as_bytes())?;
            self.news.record(chat, checksum(&lines));
        }
        for version in self.folder.older_versions(chat)? {
            let text = self.folder.read(&version.path)?;
            images.extend(image_hashes(&text.unwrap_or_default()));
            disk::remove(&version.path).map_err(|error| disk::problem(&error))?;
        }
        // The folder stays if something that is none of ours is in it.
        std::fs::remove_dir(self.folder.versions(chat)).ok();
        Ok(())
    }

    fn purge_messages_of(
        &self,
        chat: Id,
        ids: &BTreeSet<Id>,
        request: &BackupPurgeRequest,
        images: &mut BTreeSet<ImageHash>,
    ) -> Result<(), Fault> {
        let path = self.folder.chat(chat);
        let at = now();
        if let Some(text) = self.folder.read(&path)?
            && let Ok(file) = BackupFile::parse(&text)
            && let Some(rest) = purge_messages(file.rest, chat, ids, at)
        {
            images.extend(image_hashes(file.rest));
            // What each writer said of the chat is not true any more, so each writes it again.
            // The title may be the beginning of a text that goes.
            let mut next = file.header.backup.next(request.writer, "", "");
            next.writers.clear();
            let file = next.file(&rest, count_messages(&rest), at);
            self.folder.replace(&path, file.as_bytes())?;
            self.news.record(chat, checksum(&rest));
        }
        for version in self.folder.older_versions(chat)? {
            let text = self.folder.read(&version.path)?.unwrap_or_default();
            let file = BackupFile::parse(&text).ok();
            let rest = file.as_ref().map_or(text.as_str(), |file| file.rest);
            if let Some(left) = without_messages(rest, chat, ids) {
                images.extend(image_hashes(rest));
                let written = file.map_or_else(
                    || left.clone(),
                    |file| {
                        let record = file.header.backup;
                        record.file(&left, count_messages(&left), file.header.exported)
                    },
                );
                self.folder.replace(&version.path, written.as_bytes())?;
            }
        }
        Ok(())
    }

    /// All images that any file still names.
    fn images_in_texts(&self) -> Result<BTreeSet<ImageHash>, Fault> {
        let mut images = BTreeSet::new();
        let chats = self.folder.path("chats");
        let files = self.folder.entries(&chats)?.into_iter();
        let mut paths: Vec<_> = files
            .filter(|(_, is_file)| *is_file)
            .map(|(name, _)| chats.join(name))
            .collect();
        for chat in self.folder.versioned_chats()? {
            paths.extend(
                self.folder
                    .older_versions(chat)?
                    .into_iter()
                    .map(|version| version.path),
            );
        }
        for path in paths {
            images.extend(image_hashes(&self.folder.read(&path)?.unwrap_or_default()));
        }
        Ok(images)
    }

    /// How many files in the folder of the chats are none of Sash's.
    fn others(&self) -> Result<usize, Fault> {
        let entries = self.folder.entries(&self.folder.path("chats"))?;
        let is_other = |entry: &&(String, bool)| !entry.1 || chat_of(&entry.0).is_none();
        Ok(entries.iter().filter(is_other).count())
    }
}
