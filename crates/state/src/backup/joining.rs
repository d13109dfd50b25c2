//! Takes over what is in the folder and not here, one chat at a time.

use super::Backup;
use super::writing::Slices;
use crate::latest::Step;
use crate::library::Deleted;
use crate::storage::PageLog;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_log::image::decode_image;
use sash_log::{Key, MergeBase, StoreError};
use sash_transfer::backup::{
    BackupFile, BackupRecord, ChatJoin, JoinError, Joined, UnreadableBackup, join_purged,
    message_ids,
};
use sash_wire::{BackupPurge, BackupPut, Fault};
use sash_words::t;
use std::collections::{BTreeMap, BTreeSet};

/// How many merge bases are read between two pauses.
const BASES_PER_SLICE: usize = 100;

impl Backup {
    /// Finds the chats that have another version in the folder than the one that was last joined here.
    pub(super) async fn compare_versions(self, versions: Vec<(Id, String)>) {
        for some in versions.chunks(BASES_PER_SLICE) {
            for (chat, crc) in some {
                let base = self.storage.with_log(|log| log.merge_base(*chat)).flatten();
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
    pub(super) async fn join_all(self, run: Step, slices: &mut Slices) -> Result<(), Fault> {
        while run.is_latest()
            && let Some(chat) = self
                .known
                .try_update_value(|known| known.to_join.pop_first())
                .flatten()
        {
            if let Err(fault) = self.join_chat(chat, slices).await {
                self.known
                    .update_value(|known| _ = known.to_join.insert(chat));
                return Err(fault);
            }
            self.rest(slices).await;
        }
        Ok(())
    }

    /// Joins the chats that are to be deleted for good. Returns what is in the trash still.
    pub(super) async fn still_deleted(self, all: Vec<Deleted>) -> Result<Vec<Deleted>, Fault> {
        let mut slices = self.slices();
        for chat in all
            .iter()
            .map(|deleted| deleted.chat)
            .collect::<BTreeSet<_>>()
        {
            self.join_chat(chat, &mut slices).await?;
        }
        let is_deleted = |deleted: &Deleted| {
            let is_deleted = self.storage.with_log(|log| match deleted.message {
                Some(message) => log.is_removed(deleted.chat, message),
                None => log.is_deleted(deleted.chat),
            });
            is_deleted == Some(true)
        };
        Ok(all.into_iter().filter(is_deleted).collect())
    }

    /// Joins the file of a chat with the chat here.
    ///
    /// # Errors
    /// Those of [`Self::join_all`].
    pub(super) async fn join_chat(self, chat: Id, slices: &mut Slices) -> Result<(), Fault> {
        let base = self.storage.with_log(|log| log.merge_base(chat)).flatten();
        let Some(text) = self.read_file(chat).await? else {
            return Ok(());
        };
        let file = match BackupFile::parse(&text) {
            Ok(file) if file.is_intact => file,
            Err(UnreadableBackup::Newer) => {
                self.refuse(chat, Fault::BackupNewer);
                return Ok(());
            }
            // What was changed from outside comes in by *Bring back* alone, which asks.
            _ => return Ok(()),
        };
        let backup = &file.header.backup;
        if backup.purged {
            self.join_purged(chat, (backup, file.rest));
            return Ok(());
        }
        let is_gone = |log: &mut PageLog| {
            let keys = log.chat_keys().get(&chat);
            keys.is_some_and(|keys| keys.deleted && !keys.has_something())
        };
        let is_gone = self.storage.with_log(is_gone) == Some(true);
        if is_gone || base.as_ref().is_some_and(|base| base.purged) {
            return match base {
                Some(base) => self.purge_earlier_day(chat, base, file.rest).await,
                // Deleted for good here before this browser was in step, and not from the folder.
                None => Ok(()),
            };
        }
        let rest = file.rest.to_owned();
        let Some(mut join) = self.storage.with_log(|log| ChatJoin::new(log, chat, rest)) else {
            return Ok(());
        };
        while self.storage.with_log(|log| join.step(log)) == Some(true) {
            self.rest(slices).await;
        }
        for hash in join.images().clone() {
            self.fetch_image(hash).await?;
        }
        loop {
            match self.storage.with_log(|log| join.write_step(log)) {
                Some(Ok(true)) => self.rest(slices).await,
                Some(Ok(false)) => break,
                Some(Err(error)) => return self.fail(chat, error),
                None => return Ok(()),
            }
        }
        let now = self.edges.now();
        let joined = self.storage.with_log(|log| {
            // Meanwhile the writer has handed over a version that has all of this.
            (log.merge_base(chat) == base).then(|| join.finish(log, backup, now))
        });
        match joined.flatten() {
            Some(Ok(mut joined)) => {
                let to_purge = std::mem::take(&mut joined.to_purge);
                self.record_joined(chat, backup.version, joined);
                match to_purge.is_empty() {
                    true => Ok(()),
                    false => self.purge_again(Vec::new(), vec![(chat, to_purge)]).await,
                }
            }
            Some(Err(error)) => self.fail(chat, error),
            None => Ok(()),
        }
    }

    /// The file of a chat; `None` if there is none.
    async fn read_file(self, chat: Id) -> Result<Option<String>, Fault> {
        match self.target().get(self.key(), chat).await {
            Ok(text) => Ok(Some(text)),
            Err(Fault::NotInBackup) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Deletes a chat for good again that is in a folder of an earlier day.
    async fn purge_earlier_day(self, chat: Id, base: MergeBase, rest: &str) -> Result<(), Fault> {
        let known: BTreeSet<Id> = base.purged_messages.iter().copied().collect();
        let goes_on = message_ids(rest).iter().any(|id| !known.contains(id));
        if !base.purged || !goes_on {
            return self.purge_again(vec![chat], Vec::new()).await;
        }
        // Since then somebody went on with it, who did not know that it was deleted: those words stay.
        let messages = vec![(chat, base.purged_messages)];
        self.purge_again(Vec::new(), messages).await?;
        self.storage.with_log(|log| log.forget_purge(chat));
        Ok(())
    }

    /// The checksum of the version that was last joined.
    pub(super) fn base_crc(self, chat: Id) -> String {
        let base = self.storage.with_log(|log| log.merge_base(chat)).flatten();
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
        self.storage
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
        // The title that is handed over may be the beginning of a text that is gone.
        self.chats.refresh_chat(chat);
        if joined.versions > 0 {
            self.notices
                .show(t!(state.a_message_was_changed_in_two_browsers));
        } else if !joined.former.is_empty() {
            self.notices.show(t!(
                state.a_setting_was_changed_in_two_browsers,
                title = self.chats.title_now(chat)
            ));
        }
        self.state
            .update(|state| state.no_room.retain(|(id, _)| *id != chat));
    }

    /// Deletes a chat that another browser deleted for good.
    fn join_purged(self, chat: Id, file: (&BackupRecord, &str)) {
        let (copy, now) = (self.edges.new_id(), self.edges.now());
        let joined = self
            .storage
            .with_log(|log| join_purged(log, chat, file, copy, now));
        match joined {
            Some(Ok(keys)) => self.show_keys(&keys),
            Some(Err(_)) => self.refuse(chat, Fault::BackupPurged),
            None => {}
        }
    }

    /// Deletes for good from the folder what was deleted for good before.
    async fn purge_again(self, chats: Vec<Id>, messages: Vec<(Id, Vec<Id>)>) -> Result<(), Fault> {
        let what = BackupPurge::Some { chats, messages };
        self.purge(what).await.map(|_| ())
    }

    pub(super) fn show_keys(self, keys: &[(Key, bool)]) {
        self.listener.with_value(|listener| {
            if let Some(listener) = listener {
                for (key, there) in keys {
                    listener(&key.to_string(), *there);
                }
            }
        });
    }

    /// Keeps an image of the folder here, unless it is here. One that the folder has lost is left out.
    async fn fetch_image(self, hash: ImageHash) -> Result<(), Fault> {
        let here = self.edges.with_images(|images| images.read(hash)).await;
        if here.map_err(|_| Fault::ImagesUnavailable)?.is_some() {
            return Ok(());
        }
        match self.target().get_image(self.key(), hash).await {
            Ok(image) => {
                if let Some(bytes) = decode_image(&image) {
                    self.edges
                        .with_images(|images| images.keep(hash, bytes))
                        .await;
                }
                Ok(())
            }
            Err(Fault::NotInBackup) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// A chat that could not be joined: one for which there is no room stays in the folder, and the page says so.
    fn fail(self, chat: Id, error: JoinError) -> Result<(), Fault> {
        if let JoinError::Store(StoreError::Full | StoreError::Refused) = error {
            let title = self
                .known
                .with_value(|known| known.titles.get(&chat).cloned().unwrap_or_default());
            self.state.update(|state| {
                if state.no_room.iter().all(|(id, _)| *id != chat) {
                    state.no_room.push((chat, title));
                }
            });
        }
        Ok(())
    }
}
