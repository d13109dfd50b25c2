//! The queue of the open chat: prompts that were written while an answer ran. Each is an ordinary prompt at the moment
//! it goes: its window is chosen and counted then.
//!
//! A queue goes on in the tab in which it was written or continued, and only while its chat is open there. After a reload
//! and in every other tab it is paused until the person has it go on, so no prompt is sent that nobody sees, and none
//! twice.

use crate::answers::{Answers, NewQuestion, Readiness};
use crate::chats::{ChatEvent, Chats};
use crate::drafts::Drafts;
use crate::edges::{Edges, HeldLock};
use crate::history::{Done, History, Undo, Unqueued};
use crate::notices::Notices;
use crate::overflow::OverflowSource;
use crate::recalls::{Recalls, VersionChoice};
use crate::remote_answers::RemoteAnswers;
use crate::steering::Steering;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, Outcome};
use sash_log::{MAX_QUEUED, QueuedPrompt};
use sash_words::t;
use std::collections::BTreeMap;
use std::time::Duration;

/// Why a queue does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePause {
    /// It was written before the page was loaded, in another tab, or came from a file.
    NotOfThisPage,
    /// The person paused it.
    ByHand,
    /// The last answer failed or broke off.
    Failed,
    /// The last answer was stopped.
    Stopped,
    /// The request with the first prompt does not fit the context of the model.
    DoesNotFit,
    /// The first prompt could not be sent.
    NotSent,
}

/// What the queue of the open chat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueState {
    /// The next prompt goes as soon as no answer runs.
    Goes,
    /// The next prompt goes once the calls of the last answer are answered.
    AwaitsCalls,
    /// Another tab answers in the chat.
    Elsewhere,
    /// It is paused.
    Paused(QueuePause),
}

/// How a branch ends, for the prompt that is to follow.
enum BranchEnd {
    Answered,
    AwaitsCalls,
    Broken(QueuePause),
}

/// The queue of the open chat.
#[derive(Clone, Copy)]
pub struct Queue {
    edges: Edges,
    notices: &'static Notices,
    history: History,
    chats: &'static Chats,
    drafts: &'static Drafts,
    steering: &'static Steering,
    remote: &'static RemoteAnswers,
    answers: &'static Answers,
    recalls: &'static Recalls,
    /// The prompts of the open chat, in their order.
    pub prompts: RwSignal<Vec<QueuedPrompt>>,
    /// The queues that go on in this tab, and those that were paused in it.
    pauses: RwSignal<BTreeMap<Id, Option<QueuePause>>>,
    /// A prompt that goes next, whatever became of the last answer; with its chat.
    urgent: StoredValue<Option<(Id, Id)>>,
    /// The lock of a chat, from the end of an answer to the next prompt.
    held: StoredValue<Option<(Id, HeldLock)>, LocalStorage>,
}

impl Queue {
    /// Creates the store. It sends the prompts of the open chat, one after the other.
    #[must_use]
    #[expect(
        clippy::too_many_arguments,
        reason = "it names each store that it uses"
    )]
    pub fn new(
        edges: Edges,
        notices: &'static Notices,
        history: History,
        chats: &'static Chats,
        drafts: &'static Drafts,
        steering: &'static Steering,
        remote: &'static RemoteAnswers,
        answers: &'static Answers,
        recalls: &'static Recalls,
    ) -> Self {
        let open = chats.open_id_untracked();
        let store = Self {
            edges,
            notices,
            history,
            chats,
            drafts,
            steering,
            remote,
            answers,
            recalls,
            prompts: RwSignal::new(chats.queue_of(open)),
            pauses: RwSignal::new(BTreeMap::new()),
            urgent: StoredValue::new(None),
            held: StoredValue::new_local(None),
        };
        chats.listen(move |event| match event {
            ChatEvent::Opened | ChatEvent::Begun | ChatEvent::Queued => store.reload(),
            ChatEvent::Left | ChatEvent::Changed => {}
        });
        answers.on_free(move |chat, outcome, held| store.record_end(chat, outcome, held));
        // The chat was opened again, the models are listed, or another tab is done.
        Effect::new(move || {
            let chat = chats.open_id();
            let goes = store.pauses.with(|all| all.get(&chat) == Some(&None));
            let is_empty = store.prompts.with(Vec::is_empty);
            if goes && !is_empty && answers.can_send() {
                edges.after(Duration::ZERO, move || store.step(chat));
            }
        });
        store
    }

    /// Shows the queue of the open chat as the log has it.
    pub(crate) fn reload(self) {
        let now = self.chats.queue_of(self.chats.open_id_untracked());
        if self.prompts.with_untracked(|shown| *shown != now) {
            self.prompts.set(now);
        }
    }

    /// Shows what another tab changed. A queue that both change goes on where an answer runs.
    pub(crate) fn on_storage_event(self, chat: Id) {
        if !untrack(|| self.answers.is_busy(chat)) {
            self.pauses.update(|all| _ = all.remove(&chat));
        }
        self.reload();
    }

    /// What the queue of the open chat does.
    #[must_use]
    pub fn state(self) -> QueueState {
        let chat = self.chats.open_id();
        let pause = self.pauses.with(|all| all.get(&chat).copied());
        match pause.unwrap_or(Some(QueuePause::NotOfThisPage)) {
            _ if self.remote.is_held(chat) => QueueState::Elsewhere,
            Some(why) => QueueState::Paused(why),
            None if !self.answers.is_busy(chat) && self.awaits_calls() => QueueState::AwaitsCalls,
            None => QueueState::Goes,
        }
    }

    /// Whether a draft that is entered now gets in line: an answer runs, or the queue goes on.
    #[must_use]
    pub fn takes_draft(self) -> bool {
        let chat = self.chats.open_id();
        let goes = self.pauses.with(|all| all.get(&chat) == Some(&None));
        self.answers.is_busy(chat) || goes && self.prompts.with(|all| !all.is_empty())
    }

    /// Puts the draft at the end of the queue, with its images and what the person included in it.
    pub fn add_draft(self) {
        let chat = self.chats.open_id_untracked();
        let before = self.chats.queue_of(chat).len();
        if before >= MAX_QUEUED {
            let words = t!(state.the_queue_is_full, count = MAX_QUEUED);
            return self.notices.show(words);
        }
        let choice = self.recalls.choice_of_draft();
        let prompt = QueuedPrompt {
            images: self.drafts.images.get_untracked(),
            included: choice.included,
            left_out: choice.left_out,
            ..QueuedPrompt::new(self.edges.new_id(), self.drafts.draft.get_untracked())
        };
        self.chats.change_queue(chat, |queue| queue.push(prompt));
        if before == 0 {
            self.set_pause(chat, None);
        }
        self.steering.included.set(Vec::new());
        self.steering.recalled_block.set(None);
        self.drafts.images.set(Vec::new());
        self.drafts.set_text("");
        self.notices
            .announce(t!(state.in_the_queue, place = before + 1));
    }

    /// Takes a prompt out of the queue; that can be undone.
    pub fn remove(self, id: Id) {
        let chat = self.chats.open_id_untracked();
        if let Some(unqueued) = self.take(chat, id) {
            self.history.push(Done::Unqueued(Box::new(unqueued)));
            self.notices
                .show_undo(t!(state.taken_out_of_the_queue), Undo::Unqueued(chat, id));
        }
    }

    /// Moves a prompt by one place.
    pub fn shift(self, id: Id, is_up: bool) {
        let chat = self.chats.open_id_untracked();
        let place = self.chats.change_queue(chat, |queue| {
            let from = queue.iter().position(|prompt| prompt.id == id)?;
            let to = match is_up {
                true => from.checked_sub(1)?,
                false => Some(from + 1).filter(|to| *to < queue.len())?,
            };
            queue.swap(from, to);
            Some((to + 1, queue.len()))
        });
        if let Some((place, count)) = place.flatten() {
            self.notices
                .announce(t!(state.moved_to_place, place = place, count = count));
        }
    }

    /// Moves a prompt back into the composer, unless something is written there. Returns whether it did.
    pub fn edit(self, id: Id) -> bool {
        let is_written = self
            .drafts
            .draft
            .with_untracked(|text| !text.trim().is_empty())
            || self
                .drafts
                .images
                .with_untracked(|images| !images.is_empty());
        if is_written {
            self.notices.show(t!(state.the_field_holds_a_draft));
            return false;
        }
        let Some(Unqueued { prompt, .. }) = self.take(self.chats.open_id_untracked(), id) else {
            return false;
        };
        self.drafts.set_text(&prompt.text);
        self.drafts.images.set(prompt.images.clone());
        self.recalls.choose_for_draft(&choice_of(&prompt));
        true
    }

    /// Pauses the queue of the open chat.
    pub fn pause(self) {
        self.set_pause(self.chats.open_id_untracked(), Some(QueuePause::ByHand));
    }

    /// Has the queue of the open chat go on in this tab, whatever became of the last answer.
    pub fn go_on(self) {
        let chat = self.chats.open_id_untracked();
        let first = self.chats.queue_of(chat).first().map(|prompt| prompt.id);
        self.say_if_refused();
        self.drop_overflow();
        self.urgent.set_value(first.map(|id| (chat, id)));
        self.set_pause(chat, None);
        self.step(chat);
    }

    /// Sends a prompt before all others; an answer that runs is stopped for it. A paused queue stays paused.
    pub fn send_now(self, id: Id) {
        let chat = self.chats.open_id_untracked();
        self.say_if_refused();
        self.urgent.set_value(Some((chat, id)));
        if untrack(|| self.answers.is_busy(chat)) {
            self.answers.stop(chat);
        }
        // After the answer that was stopped is written to the log.
        self.edges.after(Duration::ZERO, move || self.step(chat));
    }

    fn say_if_refused(self) {
        if let Readiness::Refused(why) = untrack(|| self.answers.readiness()) {
            self.notices.show(why);
        }
    }

    /// Removes what is said of a prompt that did not fit.
    fn drop_overflow(self) {
        let overflow = self.steering.overflow;
        let is_queued = overflow.with_untracked(|overflow| {
            let asked = overflow.as_ref().map(|overflow| overflow.asked);
            matches!(asked, Some(OverflowSource::Queued(_)))
        });
        if is_queued {
            overflow.set(None);
        }
    }

    fn set_pause(self, chat: Id, pause: Option<QueuePause>) {
        self.pauses.update(|all| _ = all.insert(chat, pause));
    }

    fn is_going(self, chat: Id) -> bool {
        self.pauses
            .with_untracked(|all| all.get(&chat) == Some(&None))
    }

    fn is_urgent(self, chat: Id) -> bool {
        self.urgent
            .with_value(|urgent| urgent.is_some_and(|(of, _)| of == chat))
    }

    /// An answer ended: the next prompt goes, or the queue is paused.
    fn record_end(self, chat: Id, outcome: &Outcome, held: Option<HeldLock>) {
        let is_urgent = self.is_urgent(chat);
        if !is_urgent && (!self.is_going(chat) || self.chats.queue_of(chat).is_empty()) {
            return;
        }
        if let Some(why) = pause_after(outcome).filter(|_| !is_urgent) {
            return self.set_pause(chat, Some(why));
        }
        if self.chats.open_id_untracked() == chat {
            // Other tabs see no moment in which the chat is free.
            self.held.set_value(held.map(|held| (chat, held)));
            self.edges.after(Duration::ZERO, move || self.step(chat));
        }
    }

    fn awaits_calls(self) -> bool {
        self.chats.open_tree().track();
        matches!(self.branch_end(), BranchEnd::AwaitsCalls)
    }

    fn branch_end(self) -> BranchEnd {
        self.chats.open.with_untracked(|chat| {
            let last = chat.leaf().and_then(|id| chat.get(id));
            match last {
                Some(last) if last.tool_calls.is_some() => BranchEnd::AwaitsCalls,
                Some(last) => match pause_after(&last.outcome) {
                    Some(why) => BranchEnd::Broken(why),
                    None => BranchEnd::Answered,
                },
                None => BranchEnd::Answered,
            }
        })
    }

    /// Sends the next prompt of a chat, if it may go now.
    fn step(self, chat: Id) {
        let held = self.held.try_update_value(Option::take).flatten();
        let held = held.filter(|(of, _)| *of == chat).map(|(_, held)| held);
        let is_open = self.chats.open_id_untracked() == chat;
        if !is_open || !untrack(|| self.answers.can_send()) {
            return;
        }
        let queue = self.chats.queue_of(chat);
        let urgent = self.urgent.try_update_value(Option::take).flatten();
        let urgent = urgent.filter(|(of, _)| *of == chat).map(|(_, id)| id);
        let is_there = |id: &Id| queue.iter().any(|prompt| prompt.id == *id);
        if let Some(id) = urgent.filter(is_there) {
            return self.send(chat, id, held);
        }
        let Some(first) = queue.first().filter(|_| self.is_going(chat)) else {
            return;
        };
        match self.branch_end() {
            BranchEnd::Answered => self.send(chat, first.id, held),
            BranchEnd::AwaitsCalls => {}
            BranchEnd::Broken(why) => self.set_pause(chat, Some(why)),
        }
    }

    /// Takes a prompt out and asks it. One that is not sent goes back to its place, and the queue is paused.
    fn send(self, chat: Id, id: Id, held: Option<HeldLock>) {
        // It leaves the log first: a prompt that is lost to a crash here was asked, and none is asked twice.
        let Some(unqueued) = self.take(chat, id) else {
            return;
        };
        let prompt = &unqueued.prompt;
        let question = NewQuestion {
            text: prompt.text.clone(),
            images: prompt.images.clone(),
            recalled: self.recalls.for_queued(&prompt.text, &choice_of(prompt)),
        };
        if self.answers.ask_queued(id, question, held) {
            self.forget_end(chat);
            return;
        }
        let asked = OverflowSource::Queued(id);
        let does_not_fit = self.steering.overflow.with_untracked(|overflow| {
            let overflow = overflow.as_ref();
            overflow.is_some_and(|overflow| overflow.asked == asked)
        });
        self.chats.put_back(unqueued);
        let why = match does_not_fit {
            true => QueuePause::DoesNotFit,
            false => QueuePause::NotSent,
        };
        self.set_pause(chat, Some(why));
    }

    /// An empty queue is nobody's: another tab may begin one.
    fn forget_end(self, chat: Id) {
        if self.chats.queue_of(chat).is_empty() {
            self.pauses.update(|all| _ = all.remove(&chat));
        }
    }

    fn take(self, chat: Id, id: Id) -> Option<Unqueued> {
        let taken = self.chats.change_queue(chat, |queue| {
            let at = queue.iter().position(|prompt| prompt.id == id)?;
            let prompt = queue.remove(at);
            Some(Unqueued { chat, at, prompt })
        });
        taken.flatten()
    }
}

/// Why a queue does not go on after an answer that ended so.
fn pause_after(outcome: &Outcome) -> Option<QueuePause> {
    match outcome {
        Outcome::Complete | Outcome::CutOff => None,
        Outcome::Stopped => Some(QueuePause::Stopped),
        Outcome::Interrupted | Outcome::Failed(_) => Some(QueuePause::Failed),
    }
}

/// What the person chose for a prompt.
fn choice_of(prompt: &QueuedPrompt) -> VersionChoice {
    VersionChoice {
        included: prompt.included.clone(),
        left_out: prompt.left_out.clone(),
    }
}
