//! Removing what a browser wrote that is not used any more.

use super::BackupDirectory;
use super::paths::{copy_path, directory_of};
use super::slots::{compare_lines, has_words, slots};
use crate::BackupFault;
use crate::call::Removed;
use crate::compare::Says;
use crate::files::DirectoryFiles;
use crate::form::{ALL_BROWSERS, CopyId, Standing, parse};
use sash_chat::Id;

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// Removes the copies of a browser whose messages are all in other copies, too. What it deleted for good stays deleted.
    ///
    /// # Errors
    /// That the directory cannot be used; asking again goes on.
    pub async fn remove_browser(&self, browser: Id) -> Result<Removed, BackupFault> {
        let mut removed = Removed::default();
        let copies = self.find_all(&[]).await?.copies;
        for of in copies.iter().filter(|of| of.browser == browser) {
            let path = copy_path(*of);
            let others = copies.iter().filter(|other| other.chat == of.chat);
            if self.is_elsewhere(*of, others).await {
                self.remove(&path).await?;
                self.files.remove_empty(&directory_of(of.chat)).await?;
                removed.copies += 1;
            } else {
                let known = self.known(&path, *of).await.ok().flatten();
                let title = known.map(|known| known.listed.title);
                removed.only_here.push((of.chat, title.unwrap_or_default()));
            }
        }
        Ok(removed)
    }

    /// Whether everything that a copy says is in other ones. It is not where that cannot be told.
    async fn is_elsewhere(&self, of: CopyId, copies: impl Iterator<Item = &CopyId>) -> bool {
        let Some(text) = self.lasting_text(of).await else {
            return false;
        };
        let mut needed = slots(&text, of.chat);
        needed.retain(|slot, line| has_words(*slot, line));
        for other in copies.filter(|other| **other != of) {
            let text = self.lasting_text(*other).await.unwrap_or_default();
            let there = slots(&text, of.chat);
            needed.retain(|slot, line| match there.get(slot) {
                Some(other) => compare_lines(*slot, line, other) != Says::Nothing,
                None => true,
            });
        }
        needed.is_empty()
    }

    /// The text of a copy that the next write of its browser goes on with, or of an earlier Sash, which made no seals.
    async fn lasting_text(&self, of: CopyId) -> Option<String> {
        let text = self.read(&copy_path(of)).await.ok().flatten()?;
        let standing = parse(&text, of, self.key).ok()?.standing;
        let is_earlier = (of.browser, standing) == (ALL_BROWSERS, Standing::Unsealed);
        (is_earlier || standing == Standing::Sealed).then_some(text)
    }
}
