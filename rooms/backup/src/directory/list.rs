//! What is in the directory, by the headers of its files.

use super::BackupDirectory;
use super::found::Found;
use super::headers::KnownFile;
use super::paths::{KEPT, copy_path, directory_of, gone_path};
use crate::BackupFault;
use crate::call::{BackupList, ListedCopy};
use crate::files::{DirectoryFiles, FileStat, MAX_ENTRIES};
use crate::form::{ALL_BROWSERS, CopyId, MAX_TEXT, SHELF};
use sash_chat::{Id, ImageHash};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many files that are none of Sash's are named.
const MAX_NAMED_OTHERS: usize = 50;
/// The most bytes of all former copies that are kept.
const MAX_KEPT_BYTES: u64 = 512 * 1024 * 1024;

/// How many bytes each browser's `.gone` file has, by chat.
type GoneBytes = BTreeMap<Id, BTreeMap<Id, u64>>;

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// What is in the directory. A copy of which an image is missing has no state. Of each file the header alone is read,
    /// unless something has to be taken out of it that was deleted for good. A file that cannot be read is one of the others.
    ///
    /// # Errors
    /// That the directory cannot be read.
    pub async fn list(&self) -> Result<BackupList, BackupFault> {
        let mut found = self.find_all(&[KEPT]).await?;
        let (copies, gone) = self.list_found(&mut found).await;
        let mut list = BackupList {
            copies: self.listed(copies).await,
            gone,
            is_versioned: found.is_versioned,
            ..BackupList::default()
        };
        list.copies
            .sort_by_key(|copy| (Reverse(copy.at), copy.chat, copy.browser));
        list.copies.truncate(MAX_ENTRIES);
        let mut kept = Vec::new();
        let former = found.texts.into_iter();
        for (path, of) in former.filter(|(path, _)| path.starts_with(KEPT)) {
            if let Some(gone) = list.gone.get(&of.chat) {
                // One that cannot be read has no size either.
                self.redacted(&path, of, gone).await.ok();
            }
            match self.files.stat(&path).await {
                Ok(Some(stat)) => kept.push((stat, path)),
                Ok(None) => {}
                Err(_) => found.others.push(path),
            }
        }
        list.kept_bytes = self.prune_kept(kept, MAX_KEPT_BYTES).await;
        let mut others = found.others;
        others.extend(found.unread);
        list.more_others = others.len().saturating_sub(MAX_NAMED_OTHERS);
        others.truncate(MAX_NAMED_OTHERS);
        list.others = others;
        Ok(list)
    }

    /// What a list says of a chat, or of the shelves: the copies, and how many bytes each browser's `.gone` file has.
    ///
    /// # Errors
    /// That it cannot be read.
    pub async fn list_chat(
        &self,
        chat: Id,
    ) -> Result<(Vec<ListedCopy>, BTreeMap<Id, u64>), BackupFault> {
        let mut found = Found::default();
        self.look_into(&directory_of(chat), &mut found).await?;
        self.look_for_earlier(chat, &mut found).await;
        let (copies, mut gone) = self.list_found(&mut found).await;
        let gone = gone.remove(&chat).unwrap_or_default();
        Ok((self.listed(copies).await, gone))
    }

    /// What is known of the copies that were found. One that cannot be read is one of the others.
    async fn list_found(&self, found: &mut Found) -> (Vec<KnownFile>, GoneBytes) {
        let mut gone = GoneBytes::new();
        for of in &found.gone {
            // One that is longer than a file may be says nothing.
            if let Ok(Some(stat)) = self.files.stat(&gone_path(*of)).await
                && (1..=MAX_TEXT as u64).contains(&stat.size)
            {
                gone.entry(of.chat)
                    .or_default()
                    .insert(of.browser, stat.size);
            }
        }
        let mut copies = Vec::new();
        for of in &found.copies {
            let path = copy_path(*of);
            let known = match gone.get(&of.chat) {
                Some(gone) => self.redacted(&path, *of, gone).await,
                None => self.known(&path, *of).await,
            };
            match known {
                Err(_) => found.others.push(path),
                Ok(Some(known)) if !is_earlier_tombstone(&known.listed) => copies.push(known),
                Ok(_) => {}
            }
        }
        (copies, gone)
    }

    /// Copies as they are listed: one of which an image is missing has no state.
    async fn listed(&self, copies: Vec<KnownFile>) -> Vec<ListedCopy> {
        let named = copies.iter().filter_map(|copy| copy.images.as_ref());
        let named: BTreeSet<ImageHash> = named.flat_map(|named| named.iter().copied()).collect();
        let mut missing = BTreeSet::new();
        for image in named {
            if !self.has_image(image).await {
                missing.insert(image);
            }
        }
        let listed = copies.into_iter().map(|copy| {
            let mut listed = copy.listed;
            let mut named = copy.images.iter().flat_map(|named| named.iter());
            if named.any(|image| missing.contains(image)) {
                listed.state.clear();
            }
            listed
        });
        listed.collect()
    }

    /// What is known of a file once it has nothing any more that was deleted for good.
    async fn redacted(
        &self,
        path: &str,
        of: CopyId,
        gone: &BTreeMap<Id, u64>,
    ) -> Result<Option<KnownFile>, BackupFault> {
        let known = self.known(path, of).await?;
        let applied = known.as_ref().map(|known| known.gone.as_ref());
        if applied.is_none_or(|applied| applied == Some(gone)) {
            return Ok(known);
        }
        let all = self.gone(of.chat).await?;
        if self.redact_file(path, of, &all).await.is_err() {
            return Ok(known);
        }
        let mut known = self.known(path, of).await?;
        if let Some(known) = &mut known {
            known.gone = Some(all.bytes);
            self.headers.insert(path, known.clone());
        }
        Ok(known)
    }

    /// Removes the former copies that have no place in so many bytes; the newest have theirs first. Returns how many bytes
    /// the others have.
    pub(crate) async fn prune_kept(&self, mut kept: Vec<(FileStat, String)>, limit: u64) -> u64 {
        kept.sort_by_key(|(stat, _)| Reverse(stat.modified_ms));
        let mut bytes = 0;
        for (stat, path) in kept {
            match bytes + stat.size <= limit {
                true => bytes += stat.size,
                // One that stays is tried again by the next list.
                false => _ = self.remove(&path).await,
            }
        }
        bytes
    }
}

/// Whether a file of an earlier Sash says that its chat was deleted for good.
fn is_earlier_tombstone(copy: &ListedCopy) -> bool {
    let is_earlier = copy.browser == ALL_BROWSERS && copy.chat != SHELF;
    is_earlier && copy.messages == 0 && copy.write > 0
}
