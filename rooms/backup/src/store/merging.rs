//! Merges what other browsers wrote into this log.

use super::Backup;
use super::state::{BackupState, ProblemReason};
use super::writing::ChatResult;
use crate::call::ListedCopy;
use crate::form::{ALL_BROWSERS, Copy, CopyId, SHELF, Standing, Unreadable, parse};
use crate::gone::Gone;
use crate::lines::chat_state;
use crate::record::CopyState;
use crate::union::{Merged, Union};
use crate::{BackupFault, BackupKey};
use futures::FutureExt;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_log::image::{decode_image, hash_image};
use sash_log::{Key, StoreError};
use sash_stores::{AbsentImage, TimeBudget};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;

/// So long an answer of another browser is held to be running without a new write, in milliseconds.
const RUNNING_MS: f64 = 600_000.0;

impl Backup {
    /// Merges all copies of a chat that other browsers wrote since.
    pub(super) async fn merge_others(self, chat: Id, budget: &mut TimeBudget) -> ChatResult {
        let own = self.browser();
        // It is not tried again for nothing, with each change of the chat.
        let has_no_room = self.state.with_untracked(|state| {
            let mut problems = state.problems.iter();
            problems.any(|it| it.chat == chat && it.reason == ProblemReason::NoRoom)
        });
        if has_no_room && self.known.with_value(|known| known.full_at.is_some()) {
            return Ok(Some(ProblemReason::NoRoom));
        }
        let copies = self.known.with_value(|known| {
            let copies = known.copies.get(&chat).into_iter().flatten();
            let others = copies.filter(|(browser, _)| **browser != own);
            others.map(|(_, copy)| copy.clone()).collect::<Vec<_>>()
        });
        let mut reason = None;
        for copy in copies {
            let merged = self.merge_copy(copy, budget).await;
            reason = self.of_chat(merged)?.or(reason);
        }
        Ok(reason)
    }

    async fn merge_copy(self, copy: ListedCopy, budget: &mut TimeBudget) -> ChatResult {
        let ListedCopy { chat, browser, .. } = copy;
        match (copy.is_newer, copy.standing) {
            (true, _) => return Ok(Some(ProblemReason::Newer)),
            (false, Standing::Sealed) => {}
            // What an earlier Sash wrote is restored by the person.
            _ if browser == ALL_BROWSERS => return Ok(None),
            _ => return Ok(Some(ProblemReason::Foreign)),
        }
        let here = self
            .storage()
            .with_log(|log| (CopyState::read(log, chat), chat_state(log, chat)));
        let Some((mut ours, state)) = here else {
            return Ok(None);
        };
        if ours.seen.get(&browser) == Some(&copy.write) {
            return Ok(None);
        }
        if state.is_some_and(|state| state == copy.state) {
            ours.seen.insert(browser, copy.write);
            // Without room for it, it is compared again.
            self.storage().with_log(|log| ours.save(log, chat).ok());
            return Ok(None);
        }
        let of = CopyId { chat, browser };
        let read = match self.target().get(of).await {
            Ok(read) => read,
            Err(fault) => {
                return match BackupFault::of(&fault) {
                    Some(BackupFault::Newer) => Ok(Some(ProblemReason::Newer)),
                    // The news say so, too.
                    Some(BackupFault::Absent) => Ok(None),
                    _ => Err(fault),
                };
            }
        };
        // Who wrote it says the directory; a page of a server has no key to tell that.
        match parse(&read.text, of, &BackupKey::default()) {
            Ok(copy) if read.standing == Standing::Sealed => self.merge(of, copy, budget).await,
            Err(Unreadable::Newer) => Ok(Some(ProblemReason::Newer)),
            _ => Ok(Some(ProblemReason::Foreign)),
        }
    }

    async fn merge(self, of: CopyId, copy: Copy<'_>, budget: &mut TimeBudget) -> ChatResult {
        let chat = of.chat;
        let (mut record, lines) = (copy.header.backup, copy.lines);
        let has_gone = self
            .known
            .with_value(|known| chat != SHELF && known.gone.contains_key(&chat));
        let gone = match has_gone {
            true => self.target().gone(chat).await?.gone,
            false => Gone::default(),
        };
        if !record.running.is_empty() && !self.runs_still(of, record.write) {
            // They come as far as they are.
            record.running.clear();
        }
        // To check a long text takes as long as to read it.
        budget.rest().await;
        let union = self
            .storage()
            .with_log(|log| Union::new(log, of, record, lines, &gone));
        let Some(mut union) = union.flatten() else {
            return Ok(None);
        };
        while self.storage().with_log(|log| union.step(log)) == Some(true) {
            budget.rest().await;
        }
        for hash in union.images() {
            self.fetch_image(hash).await?;
        }
        let now = self.edges.now();
        loop {
            let step = self.storage().with_log(|log| union.write_step(log, now));
            let goes_on = matches!(step, Some(Ok(true)));
            if !goes_on || budget.is_over() {
                // Whoever ends the run in this pause leaves nothing that is not shown.
                self.show_keys(union.take_written());
            }
            match step {
                Some(Ok(true)) => _ = budget.rest().await,
                Some(Ok(false)) => break,
                Some(Err(error)) => return Ok(Some(self.without_room(error))),
                None => return Ok(None),
            }
        }
        let merged = self.storage().with_log(|log| union.finish(log, now));
        self.show_keys(union.take_written());
        Ok(self.finish_merge(chat, merged))
    }

    fn finish_merge(
        self,
        chat: Id,
        merged: Option<Result<Merged, StoreError>>,
    ) -> Option<ProblemReason> {
        let merged = match merged? {
            Ok(merged) => merged,
            Err(error) => return Some(self.without_room(error)),
        };
        if chat != SHELF {
            // The title may be the beginning of a text that came.
            self.chats().refresh_chat(chat);
        }
        let notice = match (chat, merged.beside, merged.former.is_empty()) {
            (_, 0, true) => return None,
            (SHELF, ..) => t!(backup.conflict_prompt).to_owned(),
            (_, 0, false) => t!(
                backup.conflict_setting,
                title = self.chats().title_now(chat)
            ),
            _ => t!(backup.conflict_message).to_owned(),
        };
        self.notices().show(notice);
        None
    }

    /// Whether answers of a copy are to be held for running: it was not written for long if not.
    fn runs_still(self, of: CopyId, write: u64) -> bool {
        let now = self.edges.monotonic();
        let runs_still = self.known.try_update_value(|known| {
            let since = known.running.entry(of).or_insert((write, now));
            if since.0 != write {
                *since = (write, now);
            }
            let until = since.1 + RUNNING_MS;
            let runs_still = now < until;
            if runs_still {
                known.look_at(of.chat, until);
            }
            runs_still
        });
        runs_still == Some(true)
    }

    /// Remembers that there is no room: what was not merged stays in the directory.
    fn without_room(self, _: StoreError) -> ProblemReason {
        let percent = self.edges.with_page(|page| page.storage_percent());
        self.known
            .update_value(|known| known.full_at = Some(percent));
        ProblemReason::NoRoom
    }

    /// Shows records that were written (`true`) or removed as those of another tab.
    pub(super) fn show_keys(self, keys: Vec<(Key, bool)>) {
        for (key, there) in keys {
            self.merged.emit(&(key, there));
            let tabs = self.kernel.tabs();
            tabs.on_storage_event(Some(&key.to_string()), there);
        }
    }

    /// Fetches a chat that is in the directory only. Returns whether there is room for it now.
    ///
    /// # Errors
    /// That the directory cannot be read.
    pub async fn fetch_chat(self, chat: Id) -> Result<bool, Fault> {
        let turn = self.turn.get_value();
        let _alone = turn.lock().await;
        self.known.update_value(|known| known.full_at = None);
        let reason = self.merge_others(chat, &mut self.budget()).await?;
        let has_room = reason != Some(ProblemReason::NoRoom);
        self.note(chat, Vec::from_iter(reason));
        Ok(has_room)
    }

    /// Fetches an image that this browser has not, or has lost, from the directory, if there is one. One that there is no room
    /// for is in memory, and is fetched again after a reload.
    pub(super) fn fetch_absent(self, image: &AbsentImage) -> bool {
        let is_open = self.state.with_untracked(BackupState::is_open);
        if is_open {
            let fetch = self.fetch_image(image.hash);
            image.fetch(fetch.map(|fetched| fetched == Ok(true)));
        }
        is_open
    }

    /// Keeps an image of the directory here, unless it is here. One that the directory has lost, or that cannot be read there, is
    /// left out: it is looked for again when it is shown. Returns whether it is here.
    async fn fetch_image(self, hash: ImageHash) -> Result<bool, Fault> {
        let here = self.edges.with_images(|images| images.read(hash)).await;
        if let Ok(Some(_)) = here {
            return Ok(true);
        }
        match self.target().get_image(hash).await {
            Ok(image) => {
                let bytes = decode_image(&image).filter(|bytes| hash_image(bytes) == hash);
                let Some(bytes) = bytes else {
                    return Ok(false);
                };
                self.edges
                    .with_images(|images| images.keep(hash, bytes))
                    .await;
                Ok(true)
            }
            Err(fault) => match BackupFault::of(&fault) {
                Some(BackupFault::Absent | BackupFault::TooLong | BackupFault::Failed { .. }) => {
                    Ok(false)
                }
                _ => Err(fault),
            },
        }
    }
}
