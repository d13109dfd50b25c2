//! The files of chats: writing one, reading one, listing all.

use super::Backup;
use super::disk;
use super::error::now;
use sash_chat::Id;
use sash_log::checksum;
use sash_transfer::backup::{BackupFile, BackupRecord, UnreadableBackup, merge, purges};
use sash_wire::{
    BackedUpChat, BackupFileState, BackupGetRequest, BackupList, BackupListRequest, BackupPut,
    BackupPutRequest, BackupText, Fault, MAX_BACKUP_CHAT,
};

/// How many files that are none of Sash's are named.
const MAX_NAMED_OTHERS: usize = 50;

/// The chat that a file belongs to, by its name.
pub(super) fn chat_of(name: &str) -> Option<Id> {
    name.strip_suffix(".jsonl")?.parse().ok()
}

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
        Err(UnreadableBackup::Newer) => return Err(Fault::BackupNewer),
        Err(UnreadableBackup::NoHeader) => (BackupRecord::default(), text, false),
        Ok(file) => (file.header.backup, file.rest, file.is_intact),
    };
    if record.purged {
        return Err(Fault::BackupPurged);
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

impl Backup {
    /// Writes a chat. What its file was before becomes an older version, as far as that says something else.
    ///
    /// # Errors
    /// [`Fault::BackupChanged`] if the writer does not know the newest version, [`Fault::BackupNewer`],
    /// [`Fault::BackupPurged`], [`Fault::TooLarge`], and that the folder cannot be used: nothing is changed then.
    pub fn put(&self, request: &BackupPutRequest) -> Result<BackupPut, Fault> {
        self.write(|| self.put_alone(request))
    }

    fn put_alone(&self, request: &BackupPutRequest) -> Result<BackupPut, Fault> {
        let chat = request.chat;
        let path = self.folder.chat(chat);
        let at = now();
        let text = self.folder.read(&path)?;
        let former = former(text.as_deref())?;
        let version = former.record.version;
        let is_other = !request.base_crc.is_empty() && request.base_crc != former.record.crc;
        if (version != request.base || is_other) && version > 0 {
            return Err(Fault::BackupChanged { version });
        }
        if text.is_some() && !former.is_kept {
            self.folder.set_aside(chat, at)?;
        }
        // The first line is the header of the export.
        let newer = request.text.split_once('\n').map_or("", |(_, rest)| rest);
        let merged = merge(&former.rest, newer, chat);
        if merged.rest.len() > MAX_BACKUP_CHAT {
            return Err(Fault::TooLarge {
                bytes: merged.rest.len(),
                limit: MAX_BACKUP_CHAT,
                body: sash_wire::BodyKind::Backup,
            });
        }
        let is_same = former.is_kept && merged.rest == former.rest;
        let digest = request.digest.as_str();
        if is_same && former.record.digest_of(request.writer) == Some(digest) {
            let crc = former.record.crc;
            return Ok(BackupPut { version, crc, at });
        }
        if former.is_kept && !is_same {
            let is_other = former.record.writer != Some(request.writer) || merged.differs;
            self.folder.keep_version(chat, version, is_other, at)?;
        }
        let next = former.record.next(request.writer, &request.title, digest);
        let version = next.version;
        let file = next.file(&merged.rest, merged.messages, at);
        self.folder.replace(&path, file.as_bytes())?;
        let crc = checksum(&merged.rest);
        self.news.record(chat, crc.clone());
        Ok(BackupPut { version, crc, at })
    }

    /// The file of a chat. Of one that was deleted for good it has no texts.
    ///
    /// # Errors
    /// [`Fault::NotInBackup`], [`Fault::BackupNewer`], and that the folder cannot be read.
    pub fn get(&self, request: &BackupGetRequest) -> Result<BackupText, Fault> {
        let text = self.folder.read(&self.folder.chat(request.chat))?;
        let text = text.ok_or(Fault::NotInBackup)?;
        match BackupFile::parse(&text) {
            Err(UnreadableBackup::Newer) => Err(Fault::BackupNewer),
            Ok(_) | Err(UnreadableBackup::NoHeader) => Ok(BackupText { text }),
        }
    }

    /// What is in the folder.
    ///
    /// # Errors
    /// That the folder cannot be read. A file that cannot be read is one of the others.
    pub fn list(&self, request: &BackupListRequest) -> Result<BackupList, Fault> {
        let mut list = BackupList {
            // Before the files are read: what is written meanwhile is told once more.
            at: self.news.at(),
            images: self.images()?,
            is_versioned: self.folder.is_versioned(),
            ..BackupList::default()
        };
        let mut others = Vec::new();
        for (name, is_file) in self.folder.entries(&self.folder.path("chats"))? {
            let chat = chat_of(&name).filter(|_| is_file);
            match chat.and_then(|chat| self.listed(chat, request.writer)) {
                Some(listed) => list.chats.push(listed),
                None => others.push(format!("chats/{name}")),
            }
        }
        others.extend(self.folder.set_aside_names()?);
        let changed = self.changed_prompts()?.into_iter();
        others.extend(changed.map(|name| format!("versions/{name}")));
        self.list_prompts(&mut list);
        list.more_others = others.len().saturating_sub(MAX_NAMED_OTHERS);
        others.truncate(MAX_NAMED_OTHERS);
        list.others = others;
        list.chats
            .sort_by_key(|chat| (std::cmp::Reverse(chat.at), chat.chat));
        Ok(list)
    }

    fn listed(&self, chat: Id, writer: Id) -> Option<BackedUpChat> {
        let text = self.folder.read(&self.folder.chat(chat)).ok()??;
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

    /// Removes what is left of a file that a killed Sash was writing.
    pub(super) fn remove_unfinished(&self) -> Result<(), Fault> {
        for folder in ["chats", "images"] {
            let folder = self.folder.path(folder);
            let entries = std::fs::read_dir(&folder).map_err(|error| disk::problem(&error))?;
            for entry in entries.filter_map(Result::ok) {
                if entry.file_name().to_string_lossy().ends_with(".new") {
                    disk::remove(&entry.path()).map_err(|error| disk::problem(&error))?;
                }
            }
        }
        Ok(())
    }
}
