//! What is in directories of the backup, by their entries alone.

use super::BackupDirectory;
use super::paths::{CHATS, IMAGES, PathKind, SHELVES, VERSIONING, copy_path, kind_of};
use crate::files::DirectoryFiles;
use crate::form::{ALL_BROWSERS, CopyId};
use crate::{BackupFault, BackupProblem};
use sash_chat::{Id, ImageHash};
use std::collections::BTreeSet;

/// A link or a pipe.
pub(super) const NOT_PLAIN: BackupFault = BackupFault::Failed {
    problem: BackupProblem::NotPlain,
};

/// What is in directories of the backup.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The copies.
    pub copies: Vec<CopyId>,
    /// Whose files there are of what was deleted for good.
    pub gone: Vec<CopyId>,
    /// The paths of all files with words, copies and former ones, and whose they are.
    pub texts: Vec<(String, CopyId)>,
    /// The images.
    pub images: BTreeSet<ImageHash>,
    /// The paths of unfinished files.
    pub unfinished: Vec<String>,
    /// The paths of directories of chats.
    pub directories: Vec<String>,
    /// The paths of what is none of the backup's: other files, links, pipes.
    pub others: Vec<String>,
    /// The paths of directories that cannot be read.
    pub unread: Vec<String>,
    /// Whether the directory is under version control.
    pub is_versioned: bool,
}

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// Finds all that there is, with what is in these directories of former files.
    ///
    /// # Errors
    /// That the directory itself, or that of the chats, cannot be read.
    pub(super) async fn find_all(&self, former: &[&str]) -> Result<Found, BackupFault> {
        let mut found = Found::default();
        self.look_into("", &mut found).await?;
        self.look_into(CHATS, &mut found).await?;
        for directory in [SHELVES, IMAGES].iter().chain(former) {
            self.try_to_look_into(directory, &mut found).await;
        }
        for directory in std::mem::take(&mut found.directories) {
            self.try_to_look_into(&directory, &mut found).await;
        }
        Ok(found)
    }

    /// Finds what an earlier Sash wrote of a chat, which is not in its directory. A link or a pipe is none.
    pub(super) async fn look_for_earlier(&self, chat: Id, found: &mut Found) {
        let of = CopyId::new(chat, ALL_BROWSERS);
        let there = self.files.stat(&copy_path(of)).await;
        if !matches!(there, Ok(None) | Err(NOT_PLAIN)) {
            found.copies.push(of);
            found.texts.push((copy_path(of), of));
        }
    }

    /// Finds what is in a directory, or notes that it cannot be read.
    pub(super) async fn try_to_look_into(&self, directory: &str, found: &mut Found) {
        if self.look_into(directory, found).await.is_err() {
            found.unread.push(directory.to_owned());
        }
    }

    /// Finds what is in a directory.
    ///
    /// # Errors
    /// That it cannot be read.
    pub(super) async fn look_into(
        &self,
        directory: &str,
        found: &mut Found,
    ) -> Result<(), BackupFault> {
        for entry in self.files.entries(directory).await? {
            let path = match directory {
                "" => entry.name,
                directory => format!("{directory}/{}", entry.name),
            };
            found.is_versioned |= VERSIONING.contains(&path.as_str());
            match kind_of(&path) {
                Some(PathKind::Copy(of)) if entry.is_file => {
                    found.copies.push(of);
                    found.texts.push((path, of));
                }
                Some(PathKind::Former(of)) if entry.is_file => found.texts.push((path, of)),
                Some(PathKind::Beside(of)) if entry.is_file => {
                    found.others.push(path.clone());
                    found.texts.push((path, of));
                }
                Some(PathKind::Gone(of)) if entry.is_file => found.gone.push(of),
                Some(PathKind::Image(hash)) if entry.is_file => _ = found.images.insert(hash),
                Some(PathKind::Unfinished) if entry.is_file => found.unfinished.push(path),
                Some(PathKind::Chat) if entry.is_directory => found.directories.push(path),
                Some(PathKind::Expected) => {}
                _ => found.others.push(path),
            }
        }
        Ok(())
    }
}
