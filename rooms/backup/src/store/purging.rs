//! What is deleted for good: the directory is told of what was deleted here, and what other browsers deleted goes here too.
//!
//! The ids are written down first, so it works offline; they are kept, because a directory of an earlier day has to be told again.

use super::Backup;
use super::state::{BackupPhase, BackupState, ChatProblem, ProblemReason};
use super::target::BackupTarget;
use super::writing::{ChatResult, all_chats};
use crate::call::{GoneOfChat, PurgeRequest, Purged};
use crate::clock::{is_purged, shelf_keys};
use crate::directory::paths::directory_of;
use crate::form::{CopyId, SHELF};
use crate::record::CopyState;
use crate::union::{AppliedGone, apply_gone};
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id};
use sash_log::{ChatKeys, Key};
use sash_records::backup::COPY_STATE;
use sash_stores::{DeletedId, PageLog};
use sash_wire::Fault;
use std::collections::{BTreeMap, BTreeSet};

/// So long after the person said so the directory is told what was deleted for good, in milliseconds. By then it is gone here.
const PURGE_DELAY_MS: f64 = 2_000.0;

impl Backup {
    /// Has what is about to be deleted for good here deleted from the backup too: as soon as it is gone here and the directory can
    /// be reached. What is restored before stays in both.
    pub async fn purge_deleted(self, all: Vec<DeletedId>) {
        let mut chats: BTreeMap<Id, (bool, BTreeSet<Id>)> = BTreeMap::new();
        for (chat, message) in all {
            let (is_whole, messages) = chats.entry(chat).or_default();
            *is_whole |= message.is_none();
            messages.extend(message);
        }
        let mut budget = self.budget();
        let meant: Vec<Id> = chats.keys().copied().collect();
        for (chat, (is_whole, mut messages)) in chats {
            self.storage().with_log(|log| {
                if is_whole {
                    messages.extend(all_messages(log, chat));
                }
                let mut ours = CopyState::read(log, chat);
                messages.extend(ours.to_purge);
                ours.to_purge = messages.into_iter().collect();
                ours.purges_chat |= is_whole;
                // Without room it waits for that of what is deleted.
                log.write(Key::Record(COPY_STATE, chat), &ours).ok();
            });
            budget.rest().await;
        }
        self.state.update(|state| {
            let known = state.to_purge();
            let new = meant.iter().filter(|chat| !known.contains(chat));
            state.problems.extend(new.map(|chat| ChatProblem {
                chat: *chat,
                title: String::new(),
                reason: ProblemReason::Unreached(Vec::new()),
            }));
        });
        for chat in meant {
            self.look_later(chat, PURGE_DELAY_MS);
        }
        self.wake();
    }

    /// Deletes all chats of this browser from the directory for good, and its prompts and folders there. Nothing is handed over
    /// after that.
    ///
    /// # Errors
    /// Those of the directory; the person may try again.
    pub async fn purge_everything(self) -> Result<Purged, Fault> {
        self.stop();
        let turn = self.turn.get_value();
        let _alone = turn.lock().await;
        let done = self.purge_all_chats().await;
        done.inspect_err(|fault| self.set_phase(BackupPhase::Failed(fault.clone())))
    }

    async fn purge_all_chats(self) -> Result<Purged, Fault> {
        let (target, browser) = (self.target(), self.browser());
        let chats = self.storage().with_log(all_chats);
        let mut all = Purged::default();
        for chat in chats.unwrap_or_default() {
            let ids = self.storage().with_log(|log| {
                let mut ids = all_messages(log, chat);
                ids.extend(CopyState::read(log, chat).to_purge);
                ids
            });
            let ids = ids.unwrap_or_default();
            if chat != SHELF && !ids.is_empty() {
                match self.purge(&target, chat, ids, true, false).await {
                    Ok(purged) => all.unreached.extend(purged.unreached),
                    // The others are deleted all the same.
                    Err(fault) if !self.is_of_directory(&fault) => {
                        all.unreached.push(directory_of(chat));
                    }
                    Err(fault) => return Err(fault),
                }
            }
        }
        // Last the prompts and folders, and the images that no file names any more.
        let shelf = self.storage().with_log(|log| shelf_keys(log));
        let shelf = shelf.unwrap_or_default().into_iter();
        let ids = shelf.filter_map(|key| match key {
            Key::Record(_, id) => Some(id),
            _ => None,
        });
        let purged = self.purge(&target, SHELF, ids.collect(), false, true);
        let purged = purged.await?;
        all.unreached.extend(purged.unreached);
        all.others = purged.others;
        target.remove_browser(browser).await?;
        Ok(all)
    }

    /// Has the images removed of which the purges of several chats left no text.
    pub(super) async fn sweep_images(self) -> Result<(), Fault> {
        if self.known.with_value(|known| known.has_unswept_images) {
            let target = self.target();
            let swept = self.purge(&target, SHELF, BTreeSet::new(), false, true);
            swept.await?;
            self.known
                .update_value(|known| known.has_unswept_images = false);
        }
        Ok(())
    }

    /// Tells the directory what was deleted for good here.
    pub(super) async fn tell_purges(self, chat: Id) -> ChatResult {
        let due = self.storage().with_log(|log| due_purges(log, chat));
        let (ids, is_whole, is_left) = due.unwrap_or_default();
        let left = is_left.then(|| ProblemReason::Unreached(Vec::new()));
        if ids.is_empty() && !is_whole {
            return Ok(left);
        }
        let to_purge = self.state.with_untracked(BackupState::to_purge);
        let is_last = self.known.with_value(|known| {
            let mut purges = known.to_do.intersection(&to_purge);
            purges.all(|other| *other == chat)
        });
        let target = self.target();
        let purged = self.purge(&target, chat, ids.clone(), is_whole, is_last);
        let unreached = purged.await?.unreached;
        self.known
            .update_value(|known| known.has_unswept_images = !is_last);
        if !unreached.is_empty() {
            return Ok(Some(ProblemReason::Unreached(unreached)));
        }
        self.storage().with_log(|log| {
            let mut ours = CopyState::read(log, chat);
            ours.told_of_purges(&ids, is_whole);
            ours.save(log, chat).ok();
        });
        let own = self.browser();
        self.known.update_value(|known| {
            // How long its file is now is not known.
            if let Some(lengths) = known.gone.get_mut(&chat) {
                lengths.remove(&own);
            }
        });
        Ok(left)
    }

    async fn purge(
        self,
        target: &BackupTarget,
        chat: Id,
        ids: BTreeSet<Id>,
        is_whole: bool,
        is_last: bool,
    ) -> Result<Purged, Fault> {
        let request = PurgeRequest {
            chat,
            browser: self.browser(),
            ids: ids.into_iter().collect(),
            is_whole,
            is_last,
        };
        let mut purged = target.purge(request.clone()).await?;
        // A directory of this device that was in use before the server's was.
        if let (BackupTarget::Server(..), Some(directory)) = (target, self.chosen.get_untracked())
            && directory.is_allowed
        {
            let device = BackupTarget::Device(self.target_on_device(directory));
            let on_device = device.purge(request).await?;
            purged.unreached.extend(on_device.unreached);
        }
        Ok(purged)
    }

    /// Deletes for good here what another browser deleted, if this one is in step, and tells the directory again what it has
    /// forgotten.
    pub(super) async fn take_over_purges(self, chat: Id) -> ChatResult {
        let (in_step, browser) = (self.is_in_step(), self.browser());
        let (lengths, is_there) = self.known.with_value(|known| {
            let lengths = known.gone.get(&chat).cloned().unwrap_or_default();
            (lengths, known.copies.contains_key(&chat))
        });
        let is_asked = self.storage().with_log(|log| {
            let ours = CopyState::read(log, chat);
            let is_here = log.chat_keys().contains_key(&chat);
            let has_purged = !ours.purged.is_empty();
            // The directory had nothing of the chat when it was told, and has something now.
            let is_untold = has_purged && is_there && !lengths.contains_key(&browser);
            let differs = match in_step {
                true => lengths != ours.gone && (is_here || has_purged),
                false => has_purged && lengths.get(&browser) != ours.gone.get(&browser),
            };
            is_untold || differs
        });
        if is_asked != Some(true) {
            return Ok(None);
        }
        let gone = self.target().gone(chat).await?;
        let lengths = gone.bytes.clone();
        let now = self.edges.now();
        let own = self.own_copy(chat);
        let taken = self
            .storage()
            .with_log(|log| take_over(log, own, gone, in_step.then_some(now)));
        let Some((keys, applied, has_forgotten)) = taken else {
            return Ok(None);
        };
        self.show_keys(keys);
        if !applied.messages.is_empty() {
            let mut purged: BTreeSet<DeletedId> = applied
                .messages
                .into_iter()
                .map(|id| (chat, Some(id)))
                .collect();
            purged.extend(applied.is_whole.then_some((chat, None)));
            self.storage().purged().emit(&purged);
            let unused = self.attachments().delete_unreferenced(applied.images);
            self.edges.spawn(unused);
            // The title that is shown may be the beginning of a text that is gone.
            self.chats().refresh_chat(chat);
        }
        self.known
            .update_value(|known| _ = known.gone.insert(chat, lengths));
        match has_forgotten {
            true => self.tell_purges(chat).await,
            false => Ok(None),
        }
    }
}

/// All messages of a chat that this browser knows of, those that were deleted for good before included.
fn all_messages(log: &mut PageLog, chat: Id) -> BTreeSet<Id> {
    let mut all = ids_of(log.load(chat).as_ref());
    let keys = log.chat_keys().get(&chat);
    all.extend(keys.into_iter().flat_map(|keys| &keys.removed));
    all
}

/// The messages of a chat that is here.
fn ids_of(chat: Option<&Chat>) -> BTreeSet<Id> {
    let messages = chat.into_iter().flat_map(|chat| chat.tree.all_messages());
    messages.map(|message| message.id).collect()
}

/// What the directory can be told of a chat now: messages, and whether it is about the chat as a whole; and whether something is
/// still in the trash. What is here again is forgotten.
fn due_purges(log: &mut PageLog, chat: Id) -> (BTreeSet<Id>, bool, bool) {
    let mut ours = CopyState::read(log, chat);
    if ours.to_purge.is_empty() && !ours.purges_chat {
        return (BTreeSet::new(), false, false);
    }
    let is_in_trash = log.can_restore(chat);
    let loaded = log.load(chat);
    let present = ids_of(loaded.as_ref());
    let mut due = BTreeSet::new();
    let mut is_left = is_in_trash && ours.purges_chat;
    let before = ours.to_purge.len();
    ours.to_purge.retain(|id| {
        // A place without a text is no message any more.
        let is_gone = !present.contains(id) || is_purged(log, chat, *id);
        let waits = is_in_trash || log.can_restore_message(chat, *id);
        if is_gone {
            due.insert(*id);
        }
        is_left |= !is_gone && waits;
        is_gone || waits
    });
    let is_whole = ours.purges_chat && loaded.is_none();
    let is_back = ours.purges_chat && loaded.is_some() && !is_in_trash;
    ours.purges_chat &= !is_back;
    if is_back || ours.to_purge.len() < before {
        log.write(Key::Record(COPY_STATE, chat), &ours).ok();
    }
    (due, is_whole, is_left)
}

/// Takes in what was deleted of a chat for good, by all browsers: in step, it goes here, too, and `now` is given. Returns the keys
/// that changed here, what went, and whether the directory has forgotten what it was told.
fn take_over(
    log: &mut PageLog,
    CopyId { chat, browser }: CopyId,
    gone: GoneOfChat,
    now: Option<u64>,
) -> (Vec<(Key, bool)>, AppliedGone, bool) {
    let GoneOfChat { gone, mut bytes } = gone;
    // What others deleted is not applied here.
    bytes.retain(|of, _| now.is_some() || *of == browser);
    let mut keys = Vec::new();
    let applied = match now {
        Some(now) => apply_gone(log, chat, &gone, now, &mut keys),
        None => Ok(AppliedGone::default()),
    };
    let mut ours = CopyState::read(log, chat);
    let forgotten = ours.purged.extract_if(.., |id| !gone.ids.contains(id));
    ours.to_purge.extend(forgotten);
    let has_forgotten = !ours.to_purge.is_empty();
    let is_here = log
        .chat_keys()
        .get(&chat)
        .is_some_and(ChatKeys::has_something);
    ours.purges_chat |= has_forgotten && !is_here;
    // Where there was no room, it is tried again with the next list.
    if let Ok(applied) = applied {
        ours.gone = bytes;
        ours.save(log, chat).ok();
        return (keys, applied, has_forgotten);
    }
    (keys, AppliedGone::default(), false)
}
