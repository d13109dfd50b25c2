//! Takes over what is in the folder and not here, one chat at a time.

use super::{Backup, BackupEvent, BackupState, Known};
use futures::future::FutureExt;
use reactive_graph::prelude::*;
use sash_calls::{BackupFault, BackupPurge, BackupPut};
use sash_chat::{Id, ImageHash};
use sash_log::image::decode_image;
use sash_log::{Key, StoreError};
use sash_records::backup::{BackupLog, MergeBase};
use sash_stores::{AbsentImage, DeletedId, PageLog, Ticket, TimeBudget};
use sash_transfer::backup::{
    BackupFile, BackupRecord, ChatJoin, JoinError, Joined, UnreadableBackup, goes_on_after_purge,
    join_purged,
};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many merge bases are read between two pauses.
const BASES_PER_SLICE: usize = 100;
/// How often it is looked whether another task has joined a chat.
const JOINING_INTERVAL: Duration = Duration::from_millis(100);

impl Backup {
    /// Finds the chats that have another version in the folder than the one that was last joined here.
    pub(super) async fn compare_versions(self, run: Ticket, versions: Vec<(Id, String)>) {
        for some in versions.chunks(BASES_PER_SLICE) {
            if !run.is_current() {
                return;
            }
            for (chat, crc) in some {
                let base = self
                    .storage()
                    .with_log(|log| log.merge_base(*chat))
                    .flatten();
                self.known.update_value(|known| {
                    let base = base.unwrap_or_default();
                    if base.crc != *crc {
                        known.to_join.insert(*chat);
                    }
                    known.chats.insert(*chat, (base.version, base.digest));
                });
            }
            self.edges.pause().await;
        }
    }

    /// Joins all chats that have news.
    ///
    /// # Errors
    /// That the server cannot be reached, or the folder not be read; what is left stays to be joined.
    pub(super) async fn join_all(self, run: Ticket, budget: &mut TimeBudget) -> Result<(), Fault> {
        while run.is_current()
            && let Some(chat) = self
                .known
                .try_update_value(|known| known.to_join.pop_first())
                .flatten()
        {
            if let Err(fault) = self.join_chat(run, chat, budget).await {
                self.join_later(chat);
                return Err(fault);
            }
            budget.rest().await;
        }
        Ok(())
    }

    /// Joins the chats that are to be deleted for good. Returns what is in the trash still: a chat whose file cannot be
    /// joined may have words of another browser, so it stays.
    pub(super) async fn still_deleted(self, all: Vec<DeletedId>) -> Result<Vec<DeletedId>, Fault> {
        let (run, mut budget) = (self.runs.newest(), self.budget());
        let mut joined = BTreeSet::new();
        for chat in all.iter().map(|(chat, _)| *chat).collect::<BTreeSet<_>>() {
            if self.join_chat(run, chat, &mut budget).await? {
                joined.insert(chat);
            }
        }
        let (joined, stays): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(chat, _)| joined.contains(chat));
        if let Some((stays, _)) = stays.first() {
            let title = self.chats().title_now(*stays);
            self.notices()
                .show(t!(state.stays_in_trash, title = &title));
        }
        let is_deleted = |(chat, message): &DeletedId| {
            let is_deleted = self.storage().with_log(|log| match *message {
                Some(message) => log.is_removed(*chat, message),
                None => log.is_deleted(*chat),
            });
            is_deleted == Some(true)
        };
        Ok(joined.into_iter().filter(is_deleted).collect())
    }

    /// Joins the file of a chat with the chat here, once nobody else does. Returns whether this browser has all of the file
    /// now, or there is nothing to join.
    ///
    /// # Errors
    /// Those of [`Self::join_all`].
    pub(super) async fn join_chat(
        self,
        run: Ticket,
        chat: Id,
        budget: &mut TimeBudget,
    ) -> Result<bool, Fault> {
        let begin = |known: &mut Known| known.joining.insert(chat);
        while self.known.try_update_value(begin) == Some(false) {
            self.edges.wait(JOINING_INTERVAL).await;
        }
        let joined = self.join_file(run, chat, budget).await;
        self.known
            .update_value(|known| _ = known.joining.remove(&chat));
        joined
    }

    async fn join_file(
        self,
        run: Ticket,
        chat: Id,
        budget: &mut TimeBudget,
    ) -> Result<bool, Fault> {
        let base = self
            .storage()
            .with_log(|log| log.merge_base(chat))
            .flatten();
        let text = self.read_file(chat).await?;
        if !run.is_current() {
            // It may be the file of another folder.
            return Ok(false);
        }
        let Some(text) = text else {
            return Ok(true);
        };
        let file = match BackupFile::parse(&text) {
            Ok(file) if file.is_intact => file,
            Err(UnreadableBackup::Newer) => {
                self.refuse(chat, BackupFault::Newer.into());
                return Ok(true);
            }
            // What was changed from outside comes in by *Bring back* alone, which asks.
            _ => return Ok(true),
        };
        let backup = &file.header.backup;
        if backup.purged {
            return Ok(self.join_purged(chat, (backup, file.rest)));
        }
        let is_gone = self.storage().with_log(|log| is_gone(log, chat)) == Some(true);
        match base {
            Some(base) if is_gone || base.purged => {
                self.purge_earlier_day(chat, base, file.rest).await?;
                Ok(true)
            }
            // Deleted for good here before this browser was in step, and not from the folder.
            None if is_gone => Ok(true),
            base => {
                self.merge(run, chat, (base, backup, file.rest), budget)
                    .await
            }
        }
    }

    /// Merges what a file has of a chat with what is here: its base, what its header says, and its lines. Returns whether
    /// that was done.
    async fn merge(
        self,
        run: Ticket,
        chat: Id,
        (base, backup, lines): (Option<MergeBase>, &BackupRecord, &str),
        budget: &mut TimeBudget,
    ) -> Result<bool, Fault> {
        let lines = lines.to_owned();
        let Some(mut join) = self
            .storage()
            .with_log(|log| ChatJoin::new(log, chat, lines))
        else {
            return Ok(false);
        };
        while self.storage().with_log(|log| join.step(log)) == Some(true) {
            budget.rest().await;
        }
        for hash in join.images().clone() {
            self.fetch_image(hash).await?;
        }
        // After a pause the writer may have handed over another version, or the chat may have been deleted for good.
        let goes_on = |log: &mut PageLog| {
            run.is_current() && log.merge_base(chat) == base && !is_gone(log, chat)
        };
        let mut is_paused = true;
        loop {
            if is_paused && self.storage().with_log(goes_on) != Some(true) {
                self.show_keys(join.written());
                if run.is_current() {
                    self.join_later(chat);
                    self.wake();
                }
                return Ok(false);
            }
            match self.storage().with_log(|log| join.write_step(log)) {
                Some(Ok(true)) => is_paused = budget.rest().await,
                Some(Ok(false)) => break,
                Some(Err(error)) => {
                    self.fail(chat, &backup.title, error);
                    return Ok(false);
                }
                None => return Ok(false),
            }
        }
        let now = self.edges.now();
        match self.storage().with_log(|log| join.finish(log, backup, now)) {
            Some(Ok(mut joined)) => {
                let to_purge = std::mem::take(&mut joined.to_purge);
                self.record_joined(chat, backup.version, joined);
                if !to_purge.is_empty() {
                    self.purge_again(Vec::new(), vec![(chat, to_purge)]).await?;
                }
                Ok(true)
            }
            Some(Err(error)) => {
                self.fail(chat, &backup.title, error);
                Ok(false)
            }
            None => Ok(false),
        }
    }

    fn join_later(self, chat: Id) {
        self.known
            .update_value(|known| _ = known.to_join.insert(chat));
    }

    /// The file of a chat; `None` if there is none.
    async fn read_file(self, chat: Id) -> Result<Option<String>, Fault> {
        match self.target().get(self.key(), chat).await {
            Ok(text) => Ok(Some(text)),
            Err(fault) => match BackupFault::of(&fault) {
                Some(BackupFault::Absent) => Ok(None),
                _ => Err(fault),
            },
        }
    }

    /// Deletes a chat for good again that is in a folder of an earlier day.
    async fn purge_earlier_day(self, chat: Id, base: MergeBase, rest: &str) -> Result<(), Fault> {
        if !base.purged || !goes_on_after_purge(rest, &base) {
            return self.purge_again(vec![chat], Vec::new()).await;
        }
        // Since then somebody went on with it, who did not know that it was deleted: those words stay.
        let messages = vec![(chat, base.purged_messages)];
        self.purge_again(Vec::new(), messages).await?;
        self.storage().with_log(|log| log.forget_purge(chat));
        Ok(())
    }

    /// The checksum of the version that was last joined.
    pub(super) fn base_crc(self, chat: Id) -> String {
        let base = self
            .storage()
            .with_log(|log| log.merge_base(chat))
            .flatten();
        base.map(|base| base.crc).unwrap_or_default()
    }

    /// Records what this browser has in common with a version that it wrote.
    pub(super) fn record_base(
        self,
        chat: Id,
        put: &BackupPut,
        digest: &str,
        seq: u32,
        fields: BTreeMap<String, String>,
    ) {
        let base = MergeBase {
            version: put.version,
            crc: put.crc.clone(),
            digest: digest.to_owned(),
            seq,
            fields,
            ..MergeBase::default()
        };
        // Without room for it the chat is joined again.
        self.storage()
            .with_log(|log| log.save_merge_base(chat, &base).ok());
    }

    fn record_joined(self, chat: Id, version: u64, joined: Joined) {
        self.known.update_value(|known| {
            known.chats.insert(chat, (version, joined.digest));
            if joined.differs {
                known.changed.insert(chat);
            }
        });
        if joined.differs {
            self.wake();
        }
        self.show_keys(&joined.keys);
        self.forget_purged(
            joined.purged.iter().map(|id| (chat, Some(*id))).collect(),
            joined.purged_images,
        );
        // The title that is handed over may be the beginning of a text that is gone.
        self.chats().refresh_chat(chat);
        if joined.versions > 0 {
            self.notices().show(t!(state.conflict_message));
        } else if !joined.former.is_empty() {
            self.notices().show(t!(
                state.conflict_setting,
                title = self.chats().title_now(chat)
            ));
        }
        self.state
            .update(|state| state.no_room.retain(|(id, _)| *id != chat));
    }

    /// Deletes a chat that another browser deleted for good. Returns whether that was done.
    fn join_purged(self, chat: Id, file: (&BackupRecord, &str)) -> bool {
        let (copy, now) = (self.edges.new_id(), self.edges.now());
        let images = self.storage().with_log(|log| log.images_of(chat));
        let joined = self
            .storage()
            .with_log(|log| join_purged(log, chat, file, copy, now));
        match joined {
            Some(Ok(keys)) => {
                self.show_keys(&keys);
                self.forget_purged(BTreeSet::from([(chat, None)]), images.unwrap_or_default());
                true
            }
            Some(Err(_)) => {
                self.refuse(chat, BackupFault::Purged.into());
                false
            }
            None => false,
        }
    }

    /// Deletes what is kept of chats and messages that another browser deleted for good: images that nothing else names, and
    /// vectors.
    fn forget_purged(self, gone: BTreeSet<(Id, Option<Id>)>, images: BTreeSet<ImageHash>) {
        if gone.is_empty() {
            return;
        }
        // They are gone from the folder, too, unless another chat there has them.
        self.known.update_value(|known| {
            known.images.retain(|hash| !images.contains(hash));
        });
        self.events.emit(&BackupEvent::Purged(gone, images));
    }

    /// Deletes for good from the folder what was deleted for good before.
    async fn purge_again(self, chats: Vec<Id>, messages: Vec<(Id, Vec<Id>)>) -> Result<(), Fault> {
        let what = BackupPurge::Some { chats, messages };
        self.purge(what).await.map(|_| ())
    }

    pub(super) fn show_keys(self, keys: &[(Key, bool)]) {
        for (key, there) in keys {
            self.events.emit(&BackupEvent::Joined(*key, *there));
        }
    }

    /// Fetches an image that this browser has not, or has lost, from the folder, if there is one. One that there is no room
    /// for is in memory, and is fetched again after a reload.
    pub(crate) fn fetch_absent(self, image: &AbsentImage) -> bool {
        let is_open = self.state.with_untracked(BackupState::is_open);
        if is_open {
            let fetch = self.fetch_image(image.hash);
            image.fetch(fetch.map(|fetched| fetched == Ok(true)));
        }
        is_open
    }

    /// Keeps an image of the folder here, unless it is here. One that the folder has lost, or that cannot be read there, is
    /// left out: it is looked for again when it is shown. Returns whether it is here.
    async fn fetch_image(self, hash: ImageHash) -> Result<bool, Fault> {
        let here = self.edges.with_images(|images| images.read(hash)).await;
        if let Ok(Some(_)) = here {
            return Ok(true);
        }
        match self.target().get_image(self.key(), hash).await {
            Ok(image) => {
                let Some(bytes) = decode_image(&image) else {
                    return Ok(false);
                };
                self.edges
                    .with_images(|images| images.keep(hash, bytes))
                    .await;
                Ok(true)
            }
            Err(fault) => match BackupFault::of(&fault) {
                Some(BackupFault::Absent | BackupFault::Failed { .. }) => Ok(false),
                _ => Err(fault),
            },
        }
    }

    /// Records that a chat could not be joined: one for which there is no room stays in the folder, and the page says so.
    fn fail(self, chat: Id, title: &str, error: JoinError) {
        if let JoinError::Store(StoreError::Full | StoreError::Refused) = error {
            let percent = self.edges.with_page(|page| page.storage_percent());
            self.known
                .update_value(|known| known.full_at = Some(percent));
            self.state.update(|state| {
                state.no_room.retain(|(id, _)| *id != chat);
                state.no_room.push((chat, title.to_owned()));
            });
        }
    }

    /// Joins the chats again that there was no room for, if some was made since.
    pub(super) fn retry_without_room(self) {
        let percent = self.edges.with_page(|page| page.storage_percent());
        let has_room = self
            .known
            .with_value(|known| known.full_at.is_some_and(|full_at| percent < full_at));
        if has_room {
            let chats = self.state.with_untracked(|state| state.no_room.clone());
            self.known.update_value(|known| {
                known.full_at = None;
                known.to_join.extend(chats.iter().map(|(chat, _)| *chat));
            });
        }
    }

    /// Fetches a chat that is in the folder only. Returns whether there is room for it now.
    ///
    /// # Errors
    /// That the folder cannot be read.
    pub async fn fetch_chat(self, chat: Id) -> Result<bool, Fault> {
        let (run, mut budget) = (self.runs.newest(), self.budget());
        self.join_chat(run, chat, &mut budget).await
    }
}

/// Whether nothing of a chat is left but that it was deleted.
fn is_gone(log: &PageLog, chat: Id) -> bool {
    let keys = log.chat_keys().get(&chat);
    keys.is_some_and(|keys| keys.deleted && !keys.has_something())
}
