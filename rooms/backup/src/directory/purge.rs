//! Deleted is deleted: texts and images go from all files, those of other browsers and former ones too. What was deleted is
//! written down first, in a file that holds no words, so that nothing brings it back.

use super::BackupDirectory;
use super::found::{Found, NOT_PLAIN};
use super::paths::{KEPT, TMP, VERSIONS, directory_of, former_directories, gone_path, image_paths};
use super::redact::redact;
use crate::call::{GoneOfChat, PurgeRequest, Purged};
use crate::files::DirectoryFiles;
use crate::form::{ALL_BROWSERS, CopyId, MAX_TEXT, SHELF};
use crate::gone::{gone_line, parse_gone};
use crate::{BackupFault, BackupProblem};
use std::borrow::Cow;

/// There is no room.
const FULL: BackupFault = BackupFault::Failed {
    problem: BackupProblem::Full,
};

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// Removes messages of a chat for good, and the chat once it has no others. Nothing is written for a chat that the directory
    /// does not have. The same request goes on with what could not be reached.
    ///
    /// Prompts and folders go from what this browser and an earlier Sash wrote. Other browsers have them still, and hand them
    /// over again; so nothing is written down of them.
    ///
    /// # Errors
    /// That what is deleted cannot be written down: it is to be asked again.
    pub async fn purge(&self, request: &PurgeRequest) -> Result<Purged, BackupFault> {
        let mut purged = Purged {
            unreached: self.purge_chat(request).await?,
            others: 0,
        };
        if request.is_last {
            self.sweep(&mut purged).await?;
        }
        Ok(purged)
    }

    /// Returns the paths of what could not be reached.
    async fn purge_chat(&self, request: &PurgeRequest) -> Result<Vec<String>, BackupFault> {
        let (chat, own) = (request.chat, CopyId::new(request.chat, request.browser));
        let [kept, versions] = former_directories(chat);
        let directories = [directory_of(chat), kept, versions];
        let mut found = Found::default();
        for directory in directories.iter().map(String::as_str).chain([TMP]) {
            self.try_to_look_into(directory, &mut found).await;
        }
        self.look_for_earlier(chat, &mut found).await;
        let mut unreached = found.unread;
        self.remove_all(found.unfinished, &mut unreached).await;
        if found.texts.is_empty() && unreached.is_empty() && found.gone.is_empty() {
            return Ok(Vec::new());
        }
        let noted = match chat {
            SHELF => Ok(()),
            _ => self.note_gone(request).await,
        };
        match noted {
            Ok(()) | Err(FULL) => {}
            // Something else is in its place. The words go all the same.
            Err(NOT_PLAIN | BackupFault::TooLong) => unreached.push(gone_path(own)),
            Err(fault) => return Err(fault),
        }
        let is_meant =
            |of: CopyId| chat != SHELF || [own.browser, ALL_BROWSERS].contains(&of.browser);
        found.texts.retain(|(_, of)| is_meant(*of));
        let mut gone = self.gone(chat).await?;
        gone.gone.chat |= request.is_whole;
        gone.gone.ids.extend(&request.ids);
        for (path, of) in found.texts {
            if self.redact_file(&path, of, &gone).await.is_err() {
                unreached.push(path);
            }
        }
        for directory in &directories {
            // One that stays has no words.
            self.files.remove_empty(directory).await.ok();
        }
        if noted == Err(FULL) {
            // What was removed has made room.
            self.note_gone(request).await?;
        }
        Ok(unreached)
    }

    /// Adds to the browser's own file what it deletes.
    async fn note_gone(&self, request: &PurgeRequest) -> Result<(), BackupFault> {
        let of = CopyId::new(request.chat, request.browser);
        let path = gone_path(of);
        let mut text = match self.read(&path).await {
            // It is none that Sash wrote, and says nothing.
            Err(BackupFault::TooLong) => String::new(),
            read => read?.unwrap_or_default(),
        };
        let known = parse_gone(&text, of, self.key);
        let ids = request.ids.iter().filter(|id| !known.ids.contains(id));
        let chat = (request.is_whole && !known.chat).then_some(None);
        let added = ids.copied().map(Some).chain(chat);
        let added: String = added.map(|id| gone_line(of, id, self.key)).collect();
        if added.is_empty() {
            return Ok(());
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text += &added;
        match text.len() > MAX_TEXT {
            true => Err(BackupFault::TooLong),
            false => self.write(&path, &text).await,
        }
    }

    /// Takes out of a file what was deleted for good.
    ///
    /// # Errors
    /// That it is not taken out: a newer Sash wrote the file, it is too long, or cannot be used.
    pub(super) async fn redact_file(
        &self,
        path: &str,
        of: CopyId,
        gone: &GoneOfChat,
    ) -> Result<(), BackupFault> {
        let before = self.files.stat(path).await?;
        let Some(text) = self.read(path).await? else {
            return Ok(());
        };
        let redacted = redact(&text, of, gone, self.key)?;
        // What another program wrote meanwhile is not written over.
        if self.files.stat(path).await? != before {
            return Err(BackupProblem::Other.into());
        }
        match redacted {
            None => self.remove(path).await,
            Some(Cow::Owned(text)) => self.write(path, &text).await,
            Some(Cow::Borrowed(_)) => Ok(()),
        }
    }

    /// Removes the images that no file names any more, and unfinished files.
    async fn sweep(&self, purged: &mut Purged) -> Result<(), BackupFault> {
        let found = self.find_all(&[KEPT, VERSIONS]).await?;
        purged.others = found.others.len();
        let mut unread = found.unread;
        self.remove_all(found.unfinished, &mut purged.unreached)
            .await;
        let mut unnamed = found.images;
        if !unnamed.is_empty() {
            for (path, of) in found.texts {
                match self.images_of(&path, of).await {
                    Ok(images) => images.iter().for_each(|image| _ = unnamed.remove(image)),
                    // A text that is too long for any Sash shows no image.
                    Err(BackupFault::TooLong) => {}
                    Err(_) => unread.push(path),
                }
            }
        }
        // What cannot be read may name any image.
        if unread.is_empty() {
            let paths = unnamed.into_iter().flat_map(image_paths);
            self.remove_all(paths, &mut purged.unreached).await;
        }
        purged.unreached.extend(unread);
        Ok(())
    }

    /// Removes files, and notes those that stay.
    async fn remove_all(
        &self,
        paths: impl IntoIterator<Item = String>,
        unreached: &mut Vec<String>,
    ) {
        for path in paths {
            if self.remove(&path).await.is_err() {
                unreached.push(path);
            }
        }
    }
}
