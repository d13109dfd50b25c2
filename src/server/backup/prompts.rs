//! The file of the prompts that a person keeps and of the folders of the list.

use super::Backup;
use super::disk;
use super::error::now;
use sash_chat::Id;
use sash_log::checksum;
use sash_transfer::backup::{
    BackupFile, PromptsRefusal, PromptsUpdate, UnreadableBackup, count_prompts, purge_prompts,
    update_prompts,
};
use sash_wire::{
    BackupList, BackupPrompts, BackupPromptsRequest, BodyKind, Fault, MAX_BACKUP_CHAT,
    PROMPTS_IN_NEWS,
};
use std::path::PathBuf;

/// The file's name, and what one that was set aside begins with.
const NAME: &str = "prompts-and-folders";

impl Backup {
    /// Joins the prompts and folders of a browser with those of the folder, and returns both. Of two versions of one the
    /// higher number of rewrites is kept.
    ///
    /// # Errors
    /// [`Fault::BackupChanged`] if the writer names another version than the newest one, [`Fault::BackupNewer`],
    /// [`Fault::TooLarge`], and that the folder cannot be used: nothing is changed then.
    pub fn prompts(&self, request: &BackupPromptsRequest) -> Result<BackupPrompts, Fault> {
        let Some(newer) = &request.text else {
            return self.read_prompts();
        };
        self.write(|| {
            let at = now();
            let path = self.prompts_file();
            let text = self.folder.read(&path)?;
            let base = request.base_crc.as_deref();
            let update = update_prompts(text.as_deref(), newer, base, request.writer, at);
            let update = update.map_err(fault)?;
            if update.text.len() > MAX_BACKUP_CHAT {
                return Err(Fault::TooLarge {
                    bytes: update.text.len(),
                    limit: MAX_BACKUP_CHAT,
                    body: BodyKind::Backup,
                });
            }
            if let Some(changed) = text.filter(|_| !update.is_intact) {
                let aside = self.folder.path("versions");
                let aside = aside.join(format!("{NAME}-{at:013}-changed.jsonl"));
                self.folder.replace(&aside, changed.as_bytes())?;
            }
            self.replace_prompts(&update)?;
            Ok(BackupPrompts {
                text: update.text,
                crc: update.crc,
                is_intact: true,
                at,
            })
        })
    }

    fn read_prompts(&self) -> Result<BackupPrompts, Fault> {
        let path = self.prompts_file();
        let at = now();
        let Some(text) = self.folder.read(&path)? else {
            return Ok(BackupPrompts {
                crc: checksum(""),
                is_intact: true,
                at,
                ..BackupPrompts::default()
            });
        };
        Ok(match BackupFile::parse(&text) {
            Err(UnreadableBackup::Newer) => return Err(Fault::BackupNewer),
            Err(_) => BackupPrompts {
                text,
                at,
                ..BackupPrompts::default()
            },
            Ok(file) => BackupPrompts {
                text: file.rest.to_owned(),
                crc: file.header.backup.crc,
                is_intact: file.is_intact,
                at,
            },
        })
    }

    /// Adds to a list how many prompts and folders there are. A file that cannot be read has none.
    pub(super) fn list_prompts(&self, list: &mut BackupList) {
        if let Ok(kept) = self.read_prompts() {
            (list.prompts, list.folders) = count_prompts(&kept.text);
            list.prompts_crc = kept.crc;
        }
    }

    /// Deletes all prompts and folders for good, those that were set aside too.
    pub(super) fn purge_all_prompts(&self, writer: Id) -> Result<(), Fault> {
        let path = self.prompts_file();
        if let Some(text) = self.folder.read(&path)? {
            let update = purge_prompts(&text, writer, now()).map_err(fault)?;
            self.replace_prompts(&update)?;
        }
        for name in self.changed_prompts()? {
            let path = self.folder.path("versions").join(name);
            disk::remove(&path).map_err(|error| disk::problem(&error))?;
        }
        Ok(())
    }

    /// The names of files that were changed from outside and set aside.
    pub(super) fn changed_prompts(&self) -> Result<Vec<String>, Fault> {
        let entries = self.folder.entries(&self.folder.path("versions"))?;
        let names = entries.into_iter().filter(|(_, is_file)| *is_file);
        let names = names.map(|(name, _)| name);
        Ok(names.filter(|name| name.starts_with(NAME)).collect())
    }

    fn prompts_file(&self) -> PathBuf {
        self.folder.path(&format!("{NAME}.jsonl"))
    }

    fn replace_prompts(&self, update: &PromptsUpdate) -> Result<(), Fault> {
        if let Some(file) = &update.file {
            let path = self.prompts_file();
            self.folder.replace(&path, file.as_bytes())?;
            self.news.record(PROMPTS_IN_NEWS, update.crc.clone());
        }
        Ok(())
    }
}

fn fault(refusal: PromptsRefusal) -> Fault {
    match refusal {
        PromptsRefusal::Newer => Fault::BackupNewer,
        PromptsRefusal::Changed(version) => Fault::BackupChanged { version },
    }
}
