//! The file of the prompts that a person keeps and of the folders of the list.

use crate::files::FolderFiles;
use crate::folder::{BackupFolder, PROMPTS_PATH, VERSIONS, check_length};
use sash_calls::{BackupFault, BackupList, BackupPrompts, BackupPromptsRequest, PROMPTS_IN_NEWS};
use sash_chat::Id;
use sash_log::checksum;
use sash_transfer::backup::{
    BackupFile, PromptsRefusal, PromptsUpdate, UnreadableBackup, count_prompts, purge_prompts,
    update_prompts,
};
use sash_wire::Fault;

/// What the name of a file that was set aside begins with.
const NAME: &str = "prompts-and-folders";

impl<F: FolderFiles + ?Sized> BackupFolder<'_, F> {
    /// Joins the prompts and folders of a browser with those of the folder, and returns both; without a text it only reads.
    /// Of two versions of one the higher number of rewrites is kept.
    ///
    /// # Errors
    /// [`BackupFault::Changed`] if the writer names another version than the newest one, [`BackupFault::Newer`],
    /// [`Fault::TooLarge`], and that the folder cannot be used: nothing is changed then.
    pub async fn prompts(&self, request: &BackupPromptsRequest) -> Result<BackupPrompts, Fault> {
        let Some(newer) = &request.text else {
            return self.read_prompts().await;
        };
        let at = self.files.now();
        let text = self.read_text(PROMPTS_PATH).await?;
        let base = request.base_crc.as_deref();
        let update = update_prompts(text.as_deref(), newer, base, request.writer, at);
        let update = update.map_err(fault)?;
        check_length(&update.text)?;
        if let Some(changed) = text.filter(|_| !update.is_intact) {
            let aside = format!("{VERSIONS}/{NAME}-{at:013}-changed.jsonl");
            self.write_text(&aside, &changed).await?;
        }
        self.replace_prompts(&update).await?;
        Ok(BackupPrompts {
            text: update.text,
            crc: update.crc,
            is_intact: true,
            at,
        })
    }

    async fn read_prompts(&self) -> Result<BackupPrompts, Fault> {
        let at = self.files.now();
        let Some(text) = self.read_text(PROMPTS_PATH).await? else {
            return Ok(BackupPrompts {
                crc: checksum(""),
                is_intact: true,
                at,
                ..BackupPrompts::default()
            });
        };
        Ok(match BackupFile::parse(&text) {
            Err(UnreadableBackup::Newer) => return Err(BackupFault::Newer.into()),
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
    pub(crate) async fn list_prompts(&self, list: &mut BackupList) {
        if let Ok(kept) = self.read_prompts().await {
            (list.prompts, list.folders) = count_prompts(&kept.text);
            list.prompts_crc = kept.crc;
        }
    }

    /// Deletes all prompts and folders for good, those that were set aside too.
    pub(crate) async fn purge_all_prompts(&self, writer: Id) -> Result<(), Fault> {
        if let Some(text) = self.read_text(PROMPTS_PATH).await? {
            let update = purge_prompts(&text, writer, self.files.now()).map_err(fault)?;
            self.replace_prompts(&update).await?;
        }
        for path in self.changed_prompts().await? {
            self.files.remove(&path).await?;
        }
        Ok(())
    }

    /// The paths of files that were changed from outside and set aside.
    pub(crate) async fn changed_prompts(&self) -> Result<Vec<String>, Fault> {
        let entries = self.entries(VERSIONS).await?.into_iter();
        let files = entries.filter(|entry| entry.is_file && entry.name.starts_with(NAME));
        Ok(files
            .map(|entry| format!("{VERSIONS}/{}", entry.name))
            .collect())
    }

    async fn replace_prompts(&self, update: &PromptsUpdate) -> Result<(), Fault> {
        if let Some(file) = &update.file {
            self.write_text(PROMPTS_PATH, file).await?;
            self.files.on_written(PROMPTS_IN_NEWS, &update.crc);
        }
        Ok(())
    }
}

fn fault(refusal: PromptsRefusal) -> Fault {
    match refusal {
        PromptsRefusal::Newer => BackupFault::Newer.into(),
        PromptsRefusal::Changed(version) => BackupFault::Changed { version }.into(),
    }
}
