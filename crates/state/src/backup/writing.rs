//! Hands over what changed, one chat at a time.

use super::following::VISIBILITY_INTERVAL;
use super::{Backup, BackupPhase, Known, has_other_version, wants_key};
use futures::channel::oneshot;
use futures::future::{Either, select};
use reactive_graph::prelude::*;
use sash_calls::{
    BackupFault, BackupFileState, BackupList, BackupPutImageRequest, BackupPutRequest,
};
use sash_chat::{Id, ImageHash};
use sash_log::image::encode_image;
use sash_records::backup::BackupLog;
use sash_stores::{Ticket, TimeBudget};
use sash_transfer::backup::{ChatLines, field_checksums};
use sash_wire::{Fault, RoomFaults};
use std::collections::BTreeSet;
use std::pin::pin;
use std::time::Duration;

/// The lock of the tab that writes.
const LOCK: &str = "sash:backup";
/// How long changes are collected: a running answer changes once a second.
const COLLECT_TIME: Duration = Duration::from_secs(2);
/// A chat that takes long to hand over is handed over less often: this many times as long.
const REST_FACTOR: f64 = 10.0;
/// The longest that changes are collected.
const MAX_COLLECT_TIME: Duration = Duration::from_secs(30);
/// How long after a failure the next attempt is; doubled with each.
const FIRST_RETRY: Duration = Duration::from_secs(5);
const LAST_RETRY: Duration = Duration::from_secs(300);
/// How often a chat is handed over anew because another browser has written it meanwhile.
const MAX_TRIES: usize = 4;
/// The longest slice of work between two pauses, in milliseconds.
const SLICE_MS: f64 = 5.0;

impl Backup {
    /// Hands over what changed until another run begins.
    pub(super) async fn run(self, run: Ticket) {
        self.hold_lock(run).await;
        self.storage().with_log(|log| log.follow_chats());
        if self.is_in_step() {
            self.edges.spawn(self.follow_news(run));
        }
        let mut retry = FIRST_RETRY;
        let mut is_pruned = false;
        while run.is_current() {
            self.set_phase(BackupPhase::Writing);
            let begun = self.edges.monotonic();
            let done = self.write_changes(run).await;
            if !run.is_current() {
                return;
            }
            match done {
                Ok(()) => {
                    retry = FIRST_RETRY;
                    self.state.update(|state| {
                        state.phase = BackupPhase::Done;
                        state.failures = 0;
                    });
                    let took = self.edges.monotonic() - begun;
                    if !std::mem::replace(&mut is_pruned, true) {
                        // What cannot be removed now can be the next time.
                        self.target().prune().await.ok();
                        if !run.is_current() {
                            return;
                        }
                    }
                    if !self.next_change().await {
                        return;
                    }
                    let rest = Duration::from_millis((took * REST_FACTOR) as u64);
                    self.edges
                        .wait(rest.clamp(COLLECT_TIME, MAX_COLLECT_TIME))
                        .await;
                }
                Err(fault) if wants_key(&fault) => {
                    self.wait_for_key(fault);
                    return;
                }
                Err(fault) => {
                    if !self.is_at_server() {
                        self.check_permission().await;
                        if !run.is_current() {
                            return;
                        }
                    }
                    self.state.update(|state| {
                        state.phase = BackupPhase::Failed(fault);
                        state.failures += 1;
                    });
                    self.edges.wait(retry).await;
                    retry = (retry * 2).min(LAST_RETRY);
                }
            }
        }
    }

    /// Waits until no other tab writes; a tab that comes to the front takes that from the one that does, because browsers
    /// slow or stop a page that nobody sees, and such a page asks for no news. Where there are no locks each tab writes; the
    /// versions keep them apart.
    async fn hold_lock(self, run: Ticket) {
        let exist = self.edges.with_locks(|locks| locks.exist());
        let is_held = || self.lock.with_value(Option::is_some);
        while exist && run.is_current() && !is_held() {
            let taken = Box::new(move || self.give_way());
            let held = self
                .edges
                .with_locks(|locks| locks.try_hold(LOCK, taken))
                .await;
            if !run.is_current() {
                return;
            }
            if held.is_some() {
                self.lock.set_value(held);
                return;
            }
            self.set_phase(BackupPhase::OtherTab);
            let free = self
                .edges
                .with_locks(|locks| locks.wait_until_free(LOCK.to_owned()));
            if let Either::Right(((), _)) = select(pin!(free), pin!(self.comes_to_front())).await {
                let stolen = self.edges.with_locks(|locks| locks.steal(LOCK.to_owned()));
                stolen.await;
            }
        }
    }

    /// Waits until a person looks at the page who did not before. A page that was just opened counts as such.
    async fn comes_to_front(self) {
        loop {
            let is_visible = self.is_visible();
            let was_visible = self.was_visible.get_value();
            self.was_visible.set_value(is_visible);
            if is_visible && !was_visible {
                return;
            }
            self.edges.wait(VISIBILITY_INTERVAL).await;
        }
    }

    /// Leaves the writing to the tab that took the lock. That one tries to hold it now, so this one waits some time before
    /// it does.
    fn give_way(self) {
        let step = self.runs.begin();
        self.wake();
        self.lock.set_value(None);
        self.was_visible.set_value(self.is_visible());
        self.set_phase(BackupPhase::OtherTab);
        self.edges.spawn(async move {
            self.edges.wait(VISIBILITY_INTERVAL).await;
            if step.is_current() {
                self.begin();
            }
        });
    }

    /// Waits until the log has changes. Returns whether the page is still there.
    async fn next_change(self) -> bool {
        let has_changes = self.storage().with_log(|log| log.has_changed_chats());
        let known = self.known.with_value(|known| {
            !known.is_listed
                || !known.changed.is_empty()
                || !known.to_join.is_empty()
                || known.prompts.is_changed
                || known.prompts.has_news
        });
        if has_changes == Some(true) || known {
            return true;
        }
        let (wake, woken) = oneshot::channel();
        self.wake.set_value(Some(wake));
        woken.await.is_ok()
    }

    /// Hands over all chats that are not in the folder as they are here.
    async fn write_changes(self, run: Ticket) -> Result<(), Fault> {
        if !self.known.with_value(|known| known.is_listed) {
            self.list(run).await?;
        }
        let taken = self.storage().with_log(|log| log.take_changed_chats());
        self.known
            .update_value(|known| known.changed.extend(taken.unwrap_or_default()));
        let prompts_changed = self.storage().with_log(|log| log.take_changed_prompts());
        self.known
            .update_value(|known| known.prompts.is_changed |= prompts_changed == Some(true));
        self.write_prompts(run).await?;
        let mut budget = self.budget();
        self.retry_without_room();
        self.join_all(run, &mut budget).await?;
        // The chats whose images cannot be read now, or for whose file there is no room here, and why.
        let mut later = BTreeSet::new();
        let mut done = Ok(());
        while run.is_current()
            && let Some(chat) = self
                .known
                .with_value(|known| known.changed.first().copied())
        {
            match self.write_chat(run, chat, &mut budget).await {
                // They do not hold up the others.
                Err(fault) if fault == Fault::ImagesUnavailable || has_other_version(&fault) => {
                    later.insert(chat);
                    done = Err(fault);
                }
                written => written?,
            }
            if !run.is_current() {
                break;
            }
            self.known.update_value(|known| {
                known.changed.remove(&chat);
            });
            self.show_waiting();
            budget.rest().await;
        }
        self.known.update_value(|known| known.changed.extend(later));
        done
    }

    /// Learns what the folder has. Then every chat may have changed.
    async fn list(self, run: Ticket) -> Result<(), Fault> {
        let target = self.target();
        target.open().await?;
        let list = target.list(self.key(), self.writer()).await?;
        if !run.is_current() {
            // It is the list of another folder.
            return Ok(());
        }
        let last = list.chats.iter().filter(|chat| chat.digest.is_some());
        let last = last.map(|chat| chat.at).max();
        self.state.update(|state| {
            state.last = state.last.max(last);
            state.is_versioned = list.is_versioned;
            state.others = list.others.len() + list.more_others;
        });
        let all = self
            .storage()
            .with_log(|log| log.chat_keys().keys().copied().collect::<BTreeSet<Id>>());
        let versions: Vec<(Id, String)> = list
            .chats
            .iter()
            .filter(|chat| {
                !matches!(
                    chat.state,
                    BackupFileState::Newer | BackupFileState::Changed
                )
            })
            .map(|chat| (chat.chat, chat.crc.clone()))
            .collect();
        self.known
            .update_value(|known| known.record_list(list, all.unwrap_or_default()));
        if self.is_in_step() {
            self.compare_prompts();
            self.compare_versions(run, versions).await;
        }
        Ok(())
    }

    /// Hands over a chat, if it is not as the folder has it.
    async fn write_chat(self, run: Ticket, chat: Id, budget: &mut TimeBudget) -> Result<(), Fault> {
        let mut result = Ok(());
        for _ in 0..MAX_TRIES {
            let found = self
                .storage()
                .with_log(|log| Some((log.chat_digest(chat)?, log.highest_seq(chat))));
            let Some((digest, seq)) = found.flatten() else {
                // Nothing is left of it here. Whether it goes from the folder too is for the person to say.
                return Ok(());
            };
            let (base, is_as_here, is_refused) = self.known.with_value(|known| {
                let known_digest = known.chats.get(&chat).map(|(_, digest)| digest.as_str());
                let base = known.chats.get(&chat).map_or(0, |(version, _)| *version);
                let is_refused = known.refused.contains_key(&chat);
                (base, known_digest == Some(digest.as_str()), is_refused)
            });
            if is_as_here || is_refused {
                return result;
            }
            let Some((text, images)) = self.lines_of(chat, budget).await else {
                return Ok(());
            };
            result = self.write_images(run, images).await;
            let digest = match &result {
                // It is handed over once more, with its images.
                Err(Fault::ImagesUnavailable) => String::new(),
                _ => digest,
            };
            if !matches!(result, Ok(()) | Err(Fault::ImagesUnavailable)) || !run.is_current() {
                return result;
            }
            let fields = self.is_in_step().then(|| field_checksums(&text, chat));
            let base_crc = match self.is_in_step() {
                true => self.base_crc(chat),
                false => String::new(),
            };
            let request = BackupPutRequest {
                key: self.key(),
                writer: self.writer(),
                chat,
                base,
                base_crc: base_crc.clone(),
                digest: digest.clone(),
                title: self.chats().title_now(chat),
                text,
            };
            let put = self.target().put(request).await;
            if !run.is_current() {
                // The folder was changed meanwhile: this result is about the former one.
                return result;
            }
            match put {
                Ok(put) => {
                    // Meanwhile a newer version may have been joined.
                    let is_newest = fields.is_none() || self.base_crc(chat) == base_crc;
                    if is_newest {
                        if let Some(fields) = fields {
                            self.record_base(chat, &put, &digest, seq, fields);
                        }
                        self.known.update_value(|known| {
                            known.chats.insert(chat, (put.version, digest));
                        });
                    }
                    self.state
                        .update(|state| state.last = state.last.max(Some(put.at)));
                    return result;
                }
                Err(fault) => match BackupFault::of(&fault) {
                    Some(BackupFault::Changed { .. }) if self.is_in_step() => {
                        if !self.join_chat(run, chat, budget).await? {
                            return Err(fault);
                        }
                    }
                    Some(BackupFault::Changed { version }) => self.known.update_value(|known| {
                        known.chats.insert(chat, (version, String::new()));
                    }),
                    Some(BackupFault::Newer | BackupFault::Purged) => {
                        self.refuse(chat, fault);
                        return result;
                    }
                    _ if matches!(fault, Fault::TooLarge { .. }) => {
                        self.refuse(chat, fault);
                        return result;
                    }
                    _ => return Err(fault),
                },
            }
        }
        Err(BackupFault::Changed { version: 0 }.into())
    }

    pub(super) fn refuse(self, chat: Id, fault: Fault) {
        let refused = self.known.try_update_value(|known| {
            known.refused.insert(chat, fault);
            let refused = known.refused.iter();
            refused.map(|(id, fault)| (*id, fault.clone())).collect()
        });
        self.state
            .update(|state| state.refused = refused.unwrap_or_default());
    }

    /// The lines of a chat, and its images; `None` once the page is closed.
    async fn lines_of(
        self,
        chat: Id,
        budget: &mut TimeBudget,
    ) -> Option<(String, BTreeSet<ImageHash>)> {
        let now = self.edges.now();
        let mut lines = self
            .storage()
            .with_log(|log| ChatLines::new(log, chat, now))?;
        while self.storage().with_log(|log| lines.step(log))? {
            budget.rest().await;
        }
        Some(lines.finish())
    }

    /// Hands over the images that the folder does not have. One that this browser has lost is left out.
    async fn write_images(self, run: Ticket, images: BTreeSet<ImageHash>) -> Result<(), Fault> {
        for hash in images {
            if self.known.with_value(|known| known.images.contains(&hash)) {
                continue;
            }
            let read = self.edges.with_images(|images| images.read(hash)).await;
            if let Some(bytes) = read.map_err(|_| Fault::ImagesUnavailable)? {
                let request = BackupPutImageRequest {
                    key: self.key(),
                    hash,
                    data: encode_image(&bytes),
                };
                match self.target().put_image(request).await {
                    // What is no image that the server takes is none for a message either.
                    Ok(()) | Err(Fault::InvalidField { .. }) => {}
                    Err(fault) => return Err(fault),
                }
            }
            if !run.is_current() {
                return Ok(());
            }
            self.known.update_value(|known| {
                known.images.insert(hash);
            });
        }
        Ok(())
    }

    /// Ends the run: another attempt with this key, also to ask for news, would count as a wrong one.
    pub(super) fn wait_for_key(self, fault: Fault) {
        self.runs.cancel();
        self.wake();
        self.set_phase(BackupPhase::NeedsKey(Some(fault)));
    }

    fn set_phase(self, phase: BackupPhase) {
        if self.state.with_untracked(|state| state.phase != phase) {
            self.state.update(|state| state.phase = phase);
        }
    }

    fn show_waiting(self) {
        let waiting = self.known.with_value(|known| known.changed.len());
        if self.state.with_untracked(|state| state.waiting != waiting) {
            self.state.update(|state| state.waiting = waiting);
        }
    }

    pub(super) fn budget(self) -> TimeBudget {
        TimeBudget::new(self.edges, SLICE_MS)
    }
}

impl Known {
    fn record_list(&mut self, list: BackupList, all: BTreeSet<Id>) {
        self.chats = list
            .chats
            .into_iter()
            .filter(|chat| chat.state != BackupFileState::Newer)
            .map(|chat| (chat.chat, (chat.version, chat.digest.unwrap_or_default())))
            .collect();
        self.images = list.images.into_iter().collect();
        self.prompts.crc = list.prompts_crc;
        self.prompts.is_changed = true;
        self.at = list.at;
        self.changed = all;
        self.is_listed = true;
    }
}
