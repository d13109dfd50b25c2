//! The queue of the open chat: prompts that were written while an answer ran. Each is an ordinary prompt at the moment
//! it goes: its window is chosen and counted then.
//!
//! A queue goes on in the tab in which it was written or continued, and only while its chat is open there. After a reload
//! and in every other tab it is paused until the person has it go on, so no prompt is sent that nobody sees, and none
//! twice.

mod changes;
mod sending;

use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, PromptDraft};
use sash_log::Key;
use sash_records::queue::{MAX_QUEUED, QUEUE, QueueLog, QueuedPrompt};
use sash_stores::{AnswerEvent, ChatEvent, Kernel, LogEvent, OverflowSource, Readiness, uses};
use sash_words::t;
use std::collections::BTreeMap;

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
    /// The next prompt goes once every model has answered that the last question was asked of.
    AwaitsModels,
    /// Another tab answers in the chat.
    Elsewhere,
    /// It is paused.
    Paused(QueuePause),
}

/// The queue of the open chat.
#[derive(Clone, Copy)]
pub struct Queue {
    kernel: Kernel,
    /// The prompts of the open chat, in their order.
    pub prompts: RwSignal<Vec<QueuedPrompt>>,
    /// The queues that go on in this tab, and those that were paused in it.
    pauses: RwSignal<BTreeMap<Id, Option<QueuePause>>>,
    /// A prompt that goes next, whatever became of the last answer.
    urgent: StoredValue<Option<Id>>,
    /// The prompt that is edited in the composer: its chat, and the prompts that come after it.
    edited: StoredValue<Option<(Id, Vec<Id>)>>,
}

uses!(Queue.kernel: notices storage chats drafts steering remote answers);

impl Queue {
    /// Creates the store. It sends the prompts of the open chat, one after the other.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let (chats, drafts, answers) = (kernel.chats(), kernel.drafts(), kernel.answers());
        let store = Self {
            kernel,
            prompts: RwSignal::new(Vec::new()),
            pauses: RwSignal::new(BTreeMap::new()),
            urgent: StoredValue::new(None),
            edited: StoredValue::new(None),
        };
        store.reload();
        chats.events().on(move |event| match event {
            ChatEvent::Opened | ChatEvent::Begun => store.reload(),
            ChatEvent::Left | ChatEvent::Changed => {}
        });
        kernel.storage().events().on(move |event| match event {
            LogEvent::OtherTab(Key::Record(QUEUE, chat)) => store.on_storage_event(*chat),
            LogEvent::Cleared => store.reload(),
            _ => {}
        });
        answers.events().on(move |event| {
            if let AnswerEvent::Free(free) = event {
                store.record_end(free);
            }
        });
        drafts.entering().add(move |_| {
            let is_next = untrack(|| answers.is_busy(chats.open_id()));
            if is_next {
                store.add_draft();
            }
            is_next
        });
        kernel.steering().sending_anyway().add(move |asked| {
            let OverflowSource::PutAside(id) = asked else {
                return false;
            };
            store.send_now(*id);
            true
        });
        // What is written after the field was emptied is another prompt.
        Effect::new(move || {
            if drafts.draft.with(String::is_empty) {
                store.edited.set_value(None);
            }
        });
        // The chat was opened again, the models are listed, another tab is done, or no model is to be asked any more.
        Effect::new(move || {
            let chat = chats.open_id();
            let goes = store.pauses.with(|all| all.get(&chat) == Some(&None));
            let is_empty = store.prompts.with(Vec::is_empty);
            if goes && !is_empty && answers.can_send() && !store.awaits_models() {
                store.step_soon(chat, None);
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// A prompt of the open chat that waits for its turn.
    #[must_use]
    pub fn prompt(self, id: Id) -> Option<PromptDraft> {
        self.prompts.with(|all| {
            let prompt = all.iter().find(|prompt| prompt.id == id);
            prompt.map(QueuedPrompt::prompt)
        })
    }

    /// The queue of a chat as the log has it now.
    fn queue_of(self, chat: Id) -> Vec<QueuedPrompt> {
        let queue = self.storage().with_log(|log| log.queue(chat));
        queue.unwrap_or_default()
    }

    /// Changes the queue of a chat. It is read anew before, because another tab may have changed it.
    fn change_queue<T>(
        self,
        chat: Id,
        change: impl FnOnce(&mut Vec<QueuedPrompt>) -> T,
    ) -> Option<T> {
        let mut done = None;
        let now = self.kernel.edges().now();
        // If storage is full, the log keeps the record in memory and the page says so.
        self.storage()
            .write(|log| log.change_queue(chat, now, |queue| done = Some(change(queue))));
        self.reload();
        done
    }

    /// Takes a prompt out of the queue of a chat, from the place that is returned with it.
    fn take(self, chat: Id, id: Id) -> Option<(usize, QueuedPrompt)> {
        let taken = self.change_queue(chat, |queue| {
            let at = queue.iter().position(|prompt| prompt.id == id)?;
            Some((at, queue.remove(at)))
        });
        taken.flatten()
    }

    /// Puts a prompt back into the queue that it was taken out of. Returns whether there is room for it.
    fn put_back(self, chat: Id, (at, prompt): (usize, QueuedPrompt)) -> bool {
        if self.chats().is_gone(chat) || self.queue_of(chat).len() >= MAX_QUEUED {
            return false;
        }
        self.change_queue(chat, |queue| queue.insert(at.min(queue.len()), prompt));
        true
    }

    /// Shows the queue of the open chat as the log has it.
    fn reload(self) {
        let now = self.queue_of(self.chats().open_id_untracked());
        if self.prompts.with_untracked(|shown| *shown != now) {
            self.prompts.set(now);
        }
    }

    /// Shows what another tab changed. A queue that both change goes on where an answer runs.
    fn on_storage_event(self, chat: Id) {
        if !untrack(|| self.answers().is_busy(chat)) {
            self.pauses.update(|all| _ = all.remove(&chat));
        }
        self.reload();
    }

    /// What the queue of the open chat does.
    #[must_use]
    pub fn state(self) -> QueueState {
        let chat = self.chats().open_id();
        let pause = self.pauses.with(|all| all.get(&chat).copied());
        match pause.unwrap_or(Some(QueuePause::NotOfThisPage)) {
            _ if self.remote().is_held(chat) => QueueState::Elsewhere,
            Some(why) => QueueState::Paused(why),
            None if self.awaits_models() => QueueState::AwaitsModels,
            None if !self.answers().is_busy(chat) && self.awaits_calls() => QueueState::AwaitsCalls,
            None => QueueState::Goes,
        }
    }

    /// Pauses the queue of the open chat.
    pub fn pause(self) {
        self.set_pause(self.chats().open_id_untracked(), Some(QueuePause::ByHand));
    }

    /// Has the queue of the open chat go on in this tab, whatever became of the last answer.
    pub fn go_on(self) {
        let chat = self.chats().open_id_untracked();
        if self.is_refused(chat) {
            return;
        }
        let first = self.queue_of(chat).first().map(|prompt| prompt.id);
        if let Some(first) = first {
            self.drop_overflow(first);
        }
        // The answer that runs now is still to decide.
        let is_idle = !untrack(|| self.answers().is_busy(chat));
        self.urgent.set_value(first.filter(|_| is_idle));
        self.set_pause(chat, None);
        self.step(chat, None);
    }

    /// Sends a prompt before all others; an answer that runs is stopped for it. A paused queue stays paused.
    pub fn send_now(self, id: Id) {
        let chat = self.chats().open_id_untracked();
        if self.is_refused(chat) {
            return;
        }
        self.urgent.set_value(Some(id));
        if untrack(|| self.answers().is_busy(chat)) {
            self.answers().stop(chat);
        }
        // After the answer that was stopped is written to the log.
        self.step_soon(chat, None);
    }

    /// Says why no prompt can be sent now, if that is so.
    fn is_refused(self, chat: Id) -> bool {
        let is_held = untrack(|| self.remote().is_held(chat));
        match untrack(|| self.answers().readiness()) {
            Readiness::Refused(why) => self.notices().show(why),
            Readiness::Busy if is_held => self.notices().show(t!(queue.another_tab_answers)),
            Readiness::Ready | Readiness::Busy | Readiness::Pending => return false,
        }
        true
    }

    /// Removes what is said of a prompt that did not fit.
    fn drop_overflow(self, prompt: Id) {
        if self.does_not_fit(prompt) {
            self.steering().overflow.set(None);
        }
    }

    /// Whether it is said of a prompt that it did not fit.
    fn does_not_fit(self, prompt: Id) -> bool {
        let asked = OverflowSource::PutAside(prompt);
        self.steering().overflow.with_untracked(|overflow| {
            let overflow = overflow.as_ref();
            overflow.is_some_and(|overflow| overflow.asked == asked)
        })
    }

    fn set_pause(self, chat: Id, pause: Option<QueuePause>) {
        self.pauses.update(|all| _ = all.insert(chat, pause));
    }

    fn is_going(self, chat: Id) -> bool {
        self.pauses
            .with_untracked(|all| all.get(&chat) == Some(&None))
    }
}
