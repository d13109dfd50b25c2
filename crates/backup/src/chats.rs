//! The files of chats: writing one, reading one, listing all.

use crate::files::{FolderEntry, FolderFiles};
use crate::folder::{
    BackupFolder, CHATS, IMAGES, VERSIONING, chat_of, chat_path, check_length, images_among,
    others_outside_chats,
};
use sash_calls::{
    BackedUpChat, BackupFault, BackupFileState, BackupList, BackupPut, BackupPutRequest,
};
use sash_chat::Id;
use sash_log::checksum;
use sash_transfer::backup::{BackupFile, BackupRecord, UnreadableBackup, merge, purges};
use sash_wire::Fault;

/// How many files that are none of Sash's are named.
const MAX_NAMED_OTHERS: usize = 50;

/// What is known of the former file of a chat.
struct Former {
    record: BackupRecord,
    /// Its lines, as far as they count.
    rest: String,
    /// Whether there is a file as Sash wrote it.
    is_kept: bool,
}

/// What there is of a chat. Of a file that was changed from outside only the purges count: nobody undoes one by editing
/// a file.
fn former(text: Option<&str>) -> Result<Former, Fault> {
    let text = text.unwrap_or_default();
    let (record, rest, is_kept) = match BackupFile::parse(text) {
        Err(UnreadableBackup::Newer) => return Err(BackupFault::Newer.into()),
        Err(UnreadableBackup::NoHeader) => (BackupRecord::default(), text, false),
        Ok(file) => (file.header.backup, file.rest, file.is_intact),
    };
    if record.purged {
        return Err(BackupFault::Purged.into());
    }
    let rest = match is_kept {
        true => rest.to_owned(),
        false => purges(rest),
    };
    Ok(Former {
        record,
        rest,
        is_kept,
    })
}

impl<F: FolderFiles + ?Sized> BackupFolder<'_, F> {
    /// Writes a chat. What its file was before becomes an older version, as far as that says something else.
    ///
    /// # Errors
    /// [`BackupFault::Changed`] if the writer does not know the newest version, [`BackupFault::Newer`],
    /// [`BackupFault::Purged`], [`Fault::TooLarge`], and that the folder cannot be used: nothing is changed then.
    pub async fn put(&self, request: &BackupPutRequest) -> Result<BackupPut, Fault> {
        let chat = request.chat;
        let path = chat_path(chat);
        let at = self.files.now();
        let text = self.read_text(&path).await?;
        let former = former(text.as_deref())?;
        let version = former.record.version;
        let is_other = !request.base_crc.is_empty() && request.base_crc != former.record.crc;
        // What was changed from outside is set aside, whatever the writer knows of it.
        if former.is_kept && version > 0 && (version != request.base || is_other) {
            return Err(BackupFault::Changed { version }.into());
        }
        if text.is_some() && !former.is_kept {
            self.set_aside(chat, at).await?;
        }
        // The first line is the header of the export.
        let newer = request.text.split_once('\n').map_or("", |(_, rest)| rest);
        let merged = merge(&former.rest, newer, chat);
        check_length(&merged.rest)?;
        let is_same = former.is_kept && merged.rest == former.rest;
        let digest = request.digest.as_str();
        if is_same && former.record.digest_of(request.writer) == Some(digest) {
            let crc = former.record.crc;
            return Ok(BackupPut { version, crc, at });
        }
        if former.is_kept && !is_same {
            let is_other = former.record.writer != Some(request.writer) || merged.differs;
            self.keep_version(chat, version, is_other, at).await?;
        }
        let next = former.record.next(request.writer, &request.title, digest);
        let version = next.version;
        let file = next.file(&merged.rest, merged.messages, at);
        self.write_text(&path, &file).await?;
        let crc = checksum(&merged.rest);
        self.files.on_written(chat, &crc);
        Ok(BackupPut { version, crc, at })
    }

    /// The file of a chat. Of one that was deleted for good it has no texts.
    ///
    /// # Errors
    /// [`BackupFault::Absent`], [`BackupFault::Newer`], and that the folder cannot be read.
    pub async fn get(&self, chat: Id) -> Result<String, Fault> {
        let text = self.read_text(&chat_path(chat)).await?;
        let text = text.ok_or(BackupFault::Absent)?;
        match BackupFile::parse(&text) {
            Err(UnreadableBackup::Newer) => Err(BackupFault::Newer.into()),
            Ok(_) | Err(UnreadableBackup::NoHeader) => Ok(text),
        }
    }

    /// What is in the folder, for this writer.
    ///
    /// # Errors
    /// That the folder cannot be read. A file that cannot be read is one of the others.
    pub async fn list(&self, writer: Id) -> Result<BackupList, Fault> {
        let (root, images) = (self.entries("").await?, self.entries(IMAGES).await?);
        let is_versioning = |entry: &FolderEntry| VERSIONING.contains(&entry.name.as_str());
        let mut list = BackupList {
            images: images_among(&images),
            is_versioned: root.iter().any(is_versioning),
            ..BackupList::default()
        };
        let mut others = Vec::new();
        for entry in self.entries(CHATS).await? {
            let listed = match chat_of(&entry.name).filter(|_| entry.is_file) {
                Some(chat) => self.listed(chat, writer).await,
                None => None,
            };
            match listed {
                Some(listed) => list.chats.push(listed),
                None => others.push(format!("{CHATS}/{}", entry.name)),
            }
        }
        others.extend(others_outside_chats(&root, &images));
        others.extend(self.set_aside_paths().await?);
        others.extend(self.changed_prompts().await?);
        self.list_prompts(&mut list).await;
        list.more_others = others.len().saturating_sub(MAX_NAMED_OTHERS);
        others.truncate(MAX_NAMED_OTHERS);
        list.others = others;
        list.chats
            .sort_by_key(|chat| (std::cmp::Reverse(chat.at), chat.chat));
        Ok(list)
    }

    async fn listed(&self, chat: Id, writer: Id) -> Option<BackedUpChat> {
        let text = self.read_text(&chat_path(chat)).await.ok()??;
        let listed = |at, version, messages, state| BackedUpChat {
            chat,
            title: String::new(),
            messages,
            at,
            version,
            crc: String::new(),
            digest: None,
            state,
        };
        Some(match BackupFile::parse(&text) {
            Err(UnreadableBackup::Newer) => listed(0, 0, 0, BackupFileState::Newer),
            Err(UnreadableBackup::NoHeader) => listed(0, 0, 0, BackupFileState::Changed),
            Ok(file) => {
                let backup = &file.header.backup;
                let state = match (backup.purged, file.is_intact) {
                    (true, _) => BackupFileState::Purged,
                    (false, true) => BackupFileState::Kept,
                    (false, false) => BackupFileState::Changed,
                };
                let digest = backup.digest_of(writer).map(str::to_owned);
                BackedUpChat {
                    title: backup.title.clone(),
                    crc: backup.crc.clone(),
                    digest: digest.filter(|_| state == BackupFileState::Kept),
                    ..listed(
                        file.header.exported,
                        backup.version,
                        file.header.messages,
                        state,
                    )
                }
            }
        })
    }
}
