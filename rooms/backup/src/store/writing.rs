//! The run: goes through the chats that are to be looked at, and waits for the next change.

use super::Backup;
use super::known::Known;
use super::settings::BackupSettingsStoreFields;
use super::state::{BackupPhase, ChatProblem, ProblemReason};
use crate::form::SHELF;
use crate::record::CopyState;
use crate::{BackupFault, BackupProblem};
use futures::channel::oneshot;
use futures::future::{Either, select};
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_log::{ChatKeys, Key};
use sash_records::backup::COPY_STATE;
use sash_stores::{PageLog, TimeBudget};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;
use std::collections::BTreeSet;
use std::pin::pin;
use std::time::Duration;

/// The lock of the tab that writes.
const LOCK: &str = "sash:backup";
/// How long changes are collected.
const COLLECT_TIME: Duration = Duration::from_secs(2);
/// What takes long to hand over is handed over less often: this many times as long.
const REST_FACTOR: f64 = 10.0;
/// The longest that changes are collected.
const MAX_COLLECT_TIME: Duration = Duration::from_secs(30);
/// How long after a failure of the directory the next attempt is; doubled with each.
const FIRST_RETRY: Duration = Duration::from_secs(5);
const LAST_RETRY: Duration = Duration::from_secs(300);
/// How long after a failure of one chat the next attempt is, in milliseconds.
const CHAT_RETRY_MS: f64 = 60_000.0;
/// How long after it a chat is looked at again that an import changes, in milliseconds.
pub(super) const IMPORT_INTERVAL_MS: f64 = 2_000.0;
/// The longest slice of work between two pauses, in milliseconds.
const SLICE_MS: f64 = 5.0;
/// How often a page looks whether it is still, or again, visible.
pub(super) const VISIBILITY_INTERVAL: Duration = Duration::from_secs(1);

/// What was in the way of one chat, if something was; the error ends the run.
pub(super) type ChatResult = Result<Option<ProblemReason>, Fault>;

impl Backup {
    /// Does what is to be done until it is ended.
    pub(super) async fn run(self) {
        self.hold_lock().await;
        self.storage().with_log(|log| log.follow_chats());
        select(pin!(self.write()), pin!(self.follow_news())).await;
    }

    async fn write(self) {
        let mut retry = FIRST_RETRY;
        loop {
            self.set_phase(BackupPhase::Writing);
            let begun = self.edges.monotonic();
            match self.write_changes().await {
                Ok(()) => {
                    retry = FIRST_RETRY;
                    self.state.update(|state| {
                        state.phase = BackupPhase::Done;
                        state.failures = 0;
                    });
                    let took = self.edges.monotonic() - begun;
                    let rest = Duration::from_millis((took * REST_FACTOR) as u64);
                    self.wait_for_work(rest.clamp(COLLECT_TIME, MAX_COLLECT_TIME))
                        .await;
                }
                Err(fault) if wants_key(&fault) => {
                    // Another attempt with this key would count as a wrong one.
                    self.set_phase(BackupPhase::NeedsKey(Some(fault)));
                    return;
                }
                Err(fault) => {
                    if !self.is_at_server() {
                        self.check_permission().await;
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
    /// slow or stop a page that nobody sees, and such a page asks for no news. Where there are no locks each tab writes.
    async fn hold_lock(self) {
        let exist = self.edges.with_locks(|locks| locks.exist());
        while exist && self.lock.with_value(Option::is_none) {
            let taken = Box::new(move || self.give_way());
            let held = self
                .edges
                .with_locks(|locks| locks.try_hold(LOCK, taken))
                .await;
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
        self.stop();
        self.lock.set_value(None);
        self.was_visible.set_value(self.is_visible());
        self.set_phase(BackupPhase::OtherTab);
        self.edges.after(VISIBILITY_INTERVAL, move || {
            // Another run may have begun meanwhile.
            if self.run_handle.with_value(Option::is_none) {
                self.resume();
            }
        });
    }

    /// Waits until there is something to do: at once for what others wrote, after a rest for changes here.
    async fn wait_for_work(self, rest: Duration) {
        let mut collected = None;
        loop {
            let now = self.edges.monotonic();
            if collected.is_none() && self.has_changes() {
                collected = Some(now + rest.as_secs_f64() * 1000.0);
            }
            let later = self.known.with_value(Known::next_due);
            let due = collected.into_iter().chain(later).min_by(f64::total_cmp);
            let (wake, woken) = oneshot::channel();
            self.wake.set_value(Some(wake));
            match due {
                Some(due) if due <= now => return,
                Some(due) => {
                    let pause = Duration::from_millis((due - now).ceil() as u64);
                    let pause = self.edges.wait(pause);
                    select(woken, pin!(pause)).await;
                }
                // The sender is dropped by nobody but the next wait.
                None => _ = woken.await,
            }
        }
    }

    fn has_changes(self) -> bool {
        let has_changes = self.storage().with_log(|log| log.has_changed_chats());
        let is_to_do = self
            .known
            .with_value(|known| !known.is_listed || !known.to_do.is_empty());
        has_changes == Some(true) || is_to_do
    }

    /// Looks at all chats that may be otherwise in the directory than here.
    async fn write_changes(self) -> Result<(), Fault> {
        if !self.known.with_value(|known| known.is_listed) {
            self.list().await?;
        }
        self.take_changes();
        let mut budget = self.budget();
        while let Some(chat) = self.known.with_value(|known| known.to_do.first().copied()) {
            let reasons = self.look_at(chat, &mut budget).await?;
            let waiting = self.known.try_update_value(|known| {
                known.to_do.remove(&chat);
                known.to_do.len()
            });
            let waiting = waiting.unwrap_or_default();
            self.state
                .maybe_update(|state| std::mem::replace(&mut state.waiting, waiting) != waiting);
            self.note(chat, reasons);
            budget.rest().await;
        }
        self.show_browsers();
        self.sweep_images().await
    }

    /// Learns what the directory has. Then every chat is looked at.
    async fn list(self) -> Result<(), Fault> {
        let list = self.target().list().await?;
        let browser = self.browser();
        let own = list.copies.iter().filter(|copy| copy.browser == browser);
        let last = own.map(|copy| copy.at).max();
        self.state.update(|state| {
            state.last = state.last.max(last);
            state.is_versioned = list.is_versioned;
            state.others.clone_from(&list.others);
            state.more_others = list.more_others;
            state.kept_bytes = list.kept_bytes;
            // Each chat is looked at anew.
            state.problems.clear();
        });
        let here = self.storage().with_log(all_chats);
        self.known.update_value(|known| {
            known.record_list(list);
            known.to_do.extend(here.unwrap_or_default());
            known.to_do.insert(SHELF);
        });
        self.show_browsers();
        let is_here = |chat| self.has_chat(chat);
        let absent = self
            .known
            .with_value(|known| known.chats_of_others(browser, is_here));
        let settings = self.settings.current;
        let is_asked = settings.in_step().get_untracked() || settings.no_offer().get_untracked();
        self.state.update(|state| {
            // Once asked, it is asked until the person answers, although chats are handed over meanwhile.
            let offer = absent.or(state.offer).filter(|absent| *absent > 0);
            state.offer = offer.filter(|_| !is_asked);
        });
        Ok(())
    }

    /// Takes in what changed here since.
    fn take_changes(self) {
        let taken = self.storage().with_log(|log| {
            let mut chats = log.take_changed_chats();
            if log.take_changed_prompts() {
                chats.insert(SHELF);
            }
            (chats, held_by_imports(log))
        });
        let (chats, held) = taken.unwrap_or_default();
        let now = self.edges.monotonic();
        let percent = self.edges.with_page(|page| page.storage_percent());
        let without_room = self.state.with_untracked(|state| {
            let problems = state.problems.iter();
            let without = problems.filter(|problem| problem.reason == ProblemReason::NoRoom);
            without.map(|problem| problem.chat).collect::<Vec<Id>>()
        });
        self.known.update_value(|known| {
            known.wake_later(now);
            known.to_do.extend(chats);
            // Those that there was no room for, if some was made since.
            if known.full_at.is_some_and(|full_at| percent < full_at) {
                known.full_at = None;
                known.to_do.extend(without_room);
            }
            // What an import brings may be taken back.
            let held = known.to_do.extract_if(.., |chat| held.contains(chat));
            let until = now + IMPORT_INTERVAL_MS;
            known.later.extend(held.map(|chat| (chat, until)));
        });
    }

    /// Brings a chat and what the directory has of it to the same state, as far as this browser is in step. Returns what is in
    /// the way.
    async fn look_at(self, chat: Id, budget: &mut TimeBudget) -> Result<Vec<ProblemReason>, Fault> {
        let turn = self.turn.get_value();
        let _alone = turn.lock().await;
        let told = self.of_chat(self.tell_purges(chat).await)?;
        let gone = self.of_chat(self.take_over_purges(chat).await)?;
        let unreached = told.or(gone).map(|reason| match reason {
            // It concerns what was deleted.
            ProblemReason::Fault(_) => ProblemReason::Unreached(Vec::new()),
            reason => reason,
        });
        let merged = match self.is_in_step() {
            true => self.of_chat(self.merge_others(chat, budget).await)?,
            false => None,
        };
        let handed_over = self.of_chat(self.hand_over(chat, budget).await)?;
        let of_words = handed_over.or(merged);
        Ok(of_words.into_iter().chain(unreached).collect())
    }

    /// What is in the way of one chat alone; the fault of the directory, or of the way to it, stays an error.
    pub(super) fn of_chat(self, done: ChatResult) -> ChatResult {
        match done {
            Err(fault) if !self.is_of_directory(&fault) => Ok(Some(ProblemReason::Fault(fault))),
            done => done,
        }
    }

    pub(super) fn is_of_directory(self, fault: &Fault) -> bool {
        match BackupFault::of(fault) {
            Some(BackupFault::Off | BackupFault::Locked) => true,
            Some(BackupFault::Failed { problem }) => match problem {
                BackupProblem::Gone | BackupProblem::NotEmpty => true,
                // A browser refuses the directory, a disk each file.
                BackupProblem::Denied => !self.is_at_server(),
                _ => false,
            },
            Some(_) => false,
            None => !matches!(
                fault,
                Fault::TooLarge { .. }
                    | Fault::TooComplex
                    | Fault::Internal
                    | Fault::ImagesUnavailable
            ),
        }
    }

    /// Notes what is in the way of a chat.
    pub(super) fn note(self, chat: Id, reasons: Vec<ProblemReason>) {
        if reasons.iter().any(ProblemReason::is_passing) {
            self.look_later(chat, CHAT_RETRY_MS);
        }
        let problems = reasons.into_iter().map(|reason| ChatProblem {
            chat,
            title: match reason {
                ProblemReason::Unreached(_) => String::new(),
                _ => self.title_of(chat),
            },
            reason,
        });
        let problems: Vec<ChatProblem> = problems.collect();
        self.state.maybe_update(|state| {
            let is_of_chat = |problem: &mut ChatProblem| problem.chat == chat;
            let former = state.problems.extract_if(.., is_of_chat);
            let is_new = former.collect::<Vec<_>>() != problems;
            state.problems.extend(problems);
            state.problems.sort_by_key(|problem| problem.chat);
            is_new
        });
    }

    /// The title of a chat, here or in the directory.
    fn title_of(self, chat: Id) -> String {
        let title = match self.has_chat(chat) {
            _ if chat == SHELF => t!(backup.shelf).to_owned(),
            true => self.chats().title_now(chat),
            false => String::new(),
        };
        if !title.is_empty() {
            return title;
        }
        self.known.with_value(|known| {
            let copies = known.copies.get(&chat).into_iter().flatten();
            let mut titles = copies.map(|(_, copy)| copy.title.clone());
            titles.find(|title| !title.is_empty()).unwrap_or_default()
        })
    }

    /// Shows who has copies in the directory.
    fn show_browsers(self) {
        let own = self.browser();
        let browsers = self.known.with_value(|known| known.browsers(own));
        if self
            .state
            .with_untracked(|state| state.browsers != browsers)
        {
            self.state.update(|state| state.browsers = browsers);
        }
    }

    /// Takes in that another tab handed a chat over.
    pub(super) fn record_other_tab(self, chat: Id) {
        let Some(handed_over) = self.storage().with_log(|log| CopyState::read(log, chat)) else {
            return;
        };
        let CopyState { write, state, .. } = handed_over;
        let of = self.own_copy(chat);
        self.known.update_value(|known| {
            let is_newer = known.copy(of).is_none_or(|known| known.write < write);
            if known.is_listed && is_newer {
                known.record_state(of, write, state);
            }
        });
    }

    /// Whether the log of this browser has a chat, in the trash or not.
    pub(super) fn has_chat(self, chat: Id) -> bool {
        let is_here = |keys: &ChatKeys| keys.has_something();
        let is_here = self
            .storage()
            .with_log(|log| log.chat_keys().get(&chat).is_some_and(is_here));
        is_here == Some(true)
    }

    pub(super) fn set_phase(self, phase: BackupPhase) {
        if self.state.with_untracked(|state| state.phase != phase) {
            self.state.update(|state| state.phase = phase);
        }
    }

    pub(super) fn is_visible(self) -> bool {
        self.edges.with_page(|page| page.is_visible())
    }

    pub(super) fn budget(self) -> TimeBudget {
        TimeBudget::new(self.edges, SLICE_MS)
    }
}

/// The chats of this browser. Of those that were deleted for good it has what it remembers of its copy alone.
pub(super) fn all_chats(log: &mut PageLog) -> BTreeSet<Id> {
    let chats = log.chat_keys().keys().copied();
    chats.chain(log.ids_of(COPY_STATE)).collect()
}

/// The chats that imports change which are under way; [`SHELF`] if they bring prompts or folders.
pub(super) fn held_by_imports(log: &mut PageLog) -> BTreeSet<Id> {
    let keys = log.keys_of_imports().into_iter();
    keys.filter(|key| key.chat().is_some() || matches!(key, Key::Record(..)))
        .map(|key| key.chat().unwrap_or(SHELF))
        .collect()
}

/// Whether the page has to be given another key.
pub(super) fn wants_key(fault: &Fault) -> bool {
    matches!(fault, Fault::OpenedTwice | Fault::TooManyAttempts)
        || BackupFault::of(fault) == Some(BackupFault::Locked)
}
