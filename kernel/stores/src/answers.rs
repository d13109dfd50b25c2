//! From a prompt to the end of its answer. An answer belongs to its chat and not to a view, so
//! opening another chat does not disturb it.

mod answer_now;
mod ask;
mod continuing;
mod going_on;
mod next_request;
mod readiness;
mod reading_speed;
mod receive;
mod resume;
mod speed;
mod stages;
mod wait;

pub use ask::NewQuestion;
pub use going_on::PendingCalls;
pub use readiness::Readiness;
pub use reading_speed::{ReadingSpeed, ReadingSpeeds};
pub use speed::AnswerFigures;
pub use wait::{OtherAnswer, ReadingEstimate, Wait};

use crate::answer::{AnswerState, cut_off_words};
use crate::attachments::Attachments;
use crate::base::Base;
use crate::chats::{ChatEvent, Chats};
use crate::drafts::Drafts;
use crate::edges::{Edges, HeldLock};
use crate::hooks::Events;
use crate::prepared::PreparedAnswer;
use crate::remote_answers::{RemoteAnswers, TabGone, lock_of};
use crate::running::{RunningAnswer, RunningAnswers, SentRequest};
use crate::steering::Steering;
use crate::stops::Stops;
use futures::future::AbortHandle;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, Message, ModelId, NoText, Outcome, misfits};
use sash_wire::{ChatRequest, Usage};
use sash_words::t;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What happened to an answer.
pub enum AnswerEvent {
    /// Its request is being sent.
    Sending(Id, Rc<ChatRequest>),
    /// It ends with what its engine says, and is not written yet: its receipt may be added to.
    Ending(Rc<RefCell<Message>>, Usage),
    /// It ended without calls of tools: its chat, and its message.
    Ended(Id, Box<Message>),
    /// It ended with calls of tools.
    Called(Box<PendingCalls>),
    /// What runs for the next answer of a chat is to stop.
    Stopping(Id),
    /// Its chat is free for the next prompt.
    Free(FreeChat),
}

/// A chat that is free for its next prompt.
pub struct FreeChat {
    /// The chat.
    pub chat: Id,
    /// How its answer ended.
    pub outcome: Outcome,
    lock: Cell<Option<HeldLock>>,
}

impl FreeChat {
    /// The lock of the chat: who keeps it has the chat's next prompt sent by this tab. The first who asks gets it.
    pub fn keep_lock(&self) -> Option<HeldLock> {
        self.lock.take()
    }
}

/// The running answers.
#[derive(Clone, Copy)]
pub struct Answers {
    base: Base,
    edges: Edges,
    chats: StoredValue<Chats>,
    drafts: StoredValue<Drafts>,
    steering: StoredValue<Steering>,
    attachments: StoredValue<Attachments>,
    remote: StoredValue<RemoteAnswers>,
    speeds: ReadingSpeeds,
    stops: Stops,
    running: RunningAnswers,
    /// The models, by their keys, that refused to carry on an answer since the page was loaded.
    refuse_to_continue: StoredValue<BTreeSet<String>>,
    /// Whether it was said that the server does not keep the answer.
    said_not_kept: StoredValue<bool>,
    events: Events<AnswerEvent>,
    /// The message id of the running answer, for each chat that has one.
    pub answering: RwSignal<BTreeMap<Id, Id>>,
    /// The chats in which an answer runs, or that something else [holds](crate::hooks::Holds).
    busy: Memo<BTreeSet<Id>>,
    /// Whether a prompt can be sent now. One memo for all answers, because each of them has a
    /// button that depends on it.
    can_send: Memo<bool>,
}

uses!(Answers.base: notices storage settings engine;
    chats: Chats, drafts: Drafts, steering: Steering, attachments: Attachments, remote: RemoteAnswers);

impl Answers {
    /// Creates the store without any running answer.
    #[must_use]
    pub(crate) fn new(
        base: Base,
        chats: Chats,
        drafts: Drafts,
        steering: Steering,
        attachments: Attachments,
        remote: RemoteAnswers,
    ) -> Self {
        let (edges, storage) = (base.edges(), base.storage());
        let answering: RwSignal<BTreeMap<Id, Id>> = RwSignal::new(BTreeMap::new());
        let busy = Memo::new(move |_| {
            let mut busy = chats.holds().chats();
            answering.with(|all| busy.extend(all.keys().copied()));
            busy
        });
        let can_send = Memo::new(move |_| {
            let id = chats.open_id();
            let is_busy = busy.with(|busy| busy.contains(&id));
            !is_busy && !remote.is_held(id) && steering.model.with(Option::is_some)
        });
        let store = Self {
            base,
            edges,
            chats: StoredValue::new(chats),
            drafts: StoredValue::new(drafts),
            steering: StoredValue::new(steering),
            attachments: StoredValue::new(attachments),
            remote: StoredValue::new(remote),
            speeds: ReadingSpeeds::default(),
            stops: Stops::new(edges, storage),
            running: RunningAnswers::new(edges, storage),
            refuse_to_continue: StoredValue::default(),
            said_not_kept: StoredValue::new(false),
            events: Events::default(),
            answering,
            busy,
            can_send,
        };
        chats.events().on(move |event| match event {
            ChatEvent::Changed => store.stop_deleted(),
            ChatEvent::Left => store.stop_temporary(),
            ChatEvent::Opened | ChatEvent::Begun => {}
        });
        // Writes what no signal has: whether a model was loaded for an answer.
        Effect::new(move || store.note_loading());
        remote.events().on(move |TabGone(chat)| store.resume(*chat));
        store
    }

    /// What happens to answers.
    #[must_use]
    pub fn events(self) -> Events<AnswerEvent> {
        self.events
    }

    /// How fast models read prompts.
    #[must_use]
    pub fn reading_speeds(self) -> ReadingSpeeds {
        self.speeds
    }

    /// Whether an answer or a tool runs in a chat.
    #[must_use]
    pub fn is_busy(self, chat: Id) -> bool {
        self.busy.with(|busy| busy.contains(&chat))
    }

    /// Whether another tab answers in a chat.
    #[must_use]
    pub fn is_held_elsewhere(self, chat: Id) -> bool {
        self.remote().is_held(chat)
    }

    /// Whether an answer or a tool runs in any chat of this tab.
    #[must_use]
    pub fn is_any_busy(self) -> bool {
        self.busy.with(|busy| !busy.is_empty())
    }

    /// The same for this tab and, as far as it knows, for the others.
    pub(crate) fn is_any_busy_in_any_tab(self) -> bool {
        self.is_any_busy() || self.remote().any()
    }

    /// Whether an answer runs in a chat; does not subscribe to changes.
    #[must_use]
    pub fn runs_in(self, chat: Id) -> bool {
        self.answering.with_untracked(|all| all.contains_key(&chat))
    }

    /// Starts an answer: its message is written to the log first, then the request is sent.
    pub(crate) fn run(self, prepared: PreparedAnswer) {
        let held = self.hold_chat(prepared.chat);
        self.run_held(prepared, held);
    }

    /// The same where this tab has the chat's lock already.
    pub(crate) fn run_held(self, prepared: PreparedAnswer, held: HeldLock) {
        let PreparedAnswer {
            chat,
            answer: message,
            mut request,
            images,
            size,
            basis,
        } = prepared;
        let id = message.id;
        let (abort, registration) = AbortHandle::new_pair();
        // The server keeps nothing of a temporary chat: there an answer ends with its connection.
        let is_kept = self.outlive_page() && self.chats().may_store(chat);
        let kept = is_kept.then(|| self.edges.new_answer_id());
        request.answer_id = kept;
        self.storage()
            .write(|log| log.begin_tail(chat, &message, kept));
        let now = self.edges.monotonic();
        let sent = Some(SentRequest { size, basis });
        let running = RunningAnswer::new(chat, message.clone(), kept, sent, abort, Some(held), now);
        self.running.insert(running);
        self.answering.update(|all| _ = all.insert(chat, id));
        self.chats().show(chat, [message]);
        let model = request.model.clone();
        let used = ModelId::new(request.engine.as_deref(), &model);
        self.settings().record_use(&used.key());
        self.notices()
            .announce(t!(state.model_is_answering, model = &model));
        let work = async move {
            let outcome = match self.load_images(request, images).await {
                Ok(request) => self.receive(id, request).await,
                Err(fault) => self.fail(id, fault),
            };
            self.finish(id, outcome);
            self.ask_where_refused(id);
        };
        self.edges.spawn_abortable(registration, work);
    }

    /// The answer that runs in a chat of this tab.
    #[must_use]
    pub fn running_in(self, chat: Id) -> Option<Id> {
        self.answering.with(|all| all.get(&chat).copied())
    }

    /// Stops the answer and the tools that run in a chat, if any. The text received so far is kept, and the calls of
    /// the tools wait for the person.
    pub fn stop(self, chat: Id) {
        self.events.emit(&AnswerEvent::Stopping(chat));
        let Some(id) = untrack(|| self.running_in(chat)) else {
            return;
        };
        if let Some(abort) = self.running.with(id, |running| running.abort.clone()) {
            abort.abort();
        }
        self.stop_at_server(id);
        self.finish(id, Outcome::Stopped);
    }

    /// Stops an answer of a chat if it runs in this tab: its message was deleted.
    pub(crate) fn stop_message(self, chat: Id, message: Id) {
        if untrack(|| self.running_in(chat)) == Some(message) {
            self.stop(chat);
        }
    }

    /// Has the server stop a running answer that it keeps: it does not end with its connection.
    fn stop_at_server(self, id: Id) {
        if let Some(answer) = self.running.with(id, |running| running.kept).flatten() {
            self.stops.stop(answer);
        }
    }

    /// Stops the answers of a chat that the server keeps, wherever they are read.
    fn stop_kept(self, chat: Id) {
        let kept = self.storage().with_log(|log| log.kept_answers(chat));
        for (_, answer) in kept.unwrap_or_default() {
            self.stops.stop(answer);
        }
    }

    /// Stops what runs in a temporary chat that is being left.
    fn stop_temporary(self) {
        let open = self.chats().open_id_untracked();
        if self.chats().is_temporary_untracked(open) {
            self.stop(open);
        }
    }

    /// Stops the answer of a message of the open chat that was deleted.
    fn stop_deleted(self) {
        let open = self.chats().open_id_untracked();
        let running = untrack(|| self.running_in(open));
        let chat = self.chats().open;
        if running.is_some_and(|id| chat.with_untracked(|chat| chat.is_removed(id))) {
            self.stop(open);
        }
    }

    /// Shows the open chat as the log has it. While an answer runs in it the shown branch stays, and the chat is reloaded when
    /// that answer ends.
    pub(crate) fn reload_open(self) {
        match self.runs_in(self.chats().open_id_untracked()) {
            true => self.chats().mark_stale(),
            false => self.chats().reload_open(),
        }
    }

    /// Stops the answer that another tab runs in a chat, so that this tab can answer. The text received so far is kept.
    pub fn take_over(self, chat: Id) {
        // The other tab says so too, unless the system has suspended it.
        self.stop_kept(chat);
        self.remote().stop_remote(chat);
    }

    /// Stops all answers of this browser, because everything is about to be deleted, and waits for the server, but not
    /// for long.
    pub async fn stop_everything(self) {
        let running = self.answering.get_untracked();
        running.into_keys().for_each(|chat| self.stop(chat));
        let chats = self.storage().with_log(|log| log.chats_with_tails());
        for chat in chats.unwrap_or_default() {
            self.stop_kept(chat);
        }
        self.stops.wait_for_server().await;
    }

    fn finish(self, id: Id, outcome: Outcome) {
        self.running.show(id);
        // Write the tail of a deleted chat too: the chat may be restored.
        let chat = self.running.with(id, |running| running.chat);
        if chat.is_some_and(|chat| self.chats().is_gone(chat)) {
            self.running.write_tail(id);
        }
        let Some(mut running) = self.running.remove(id) else {
            return;
        };
        running.end_thinking(self.edges.monotonic());
        let written_ms = running.time_of_writing(self.edges.monotonic(), &outcome);
        let RunningAnswer {
            chat,
            mut message,
            live,
            usage,
            request,
            held,
            ..
        } = running;
        message.outcome = outcome.clone();
        self.learn_from(&message, request.as_ref(), &usage);
        let ending = Rc::new(RefCell::new(message));
        self.events
            .emit(&AnswerEvent::Ending(Rc::clone(&ending), usage.clone()));
        let mut message = Rc::unwrap_or_clone(ending).into_inner();
        self.complete_receipt(&mut message, usage, written_ms);
        // A chat that another tab deleted keeps its tail in case it is restored; nothing else is
        // written to it.
        let gone = self.chats().is_gone(chat);
        if !gone {
            self.storage().write(|log| log.save_message(chat, &message));
        }
        live.receipt.set(message.receipt.clone());
        live.state.set(AnswerState::Ended(outcome.clone()));
        let calls = !gone && outcome == Outcome::Complete && message.tool_calls.is_some();
        if !calls {
            self.announce_end(&outcome, &message);
            self.events
                .emit(&AnswerEvent::Ended(chat, Box::new(message.clone())));
        }
        let caller = calls.then(|| message.clone());
        self.answering.update(|all| _ = all.remove(&chat));
        if !gone && self.chats().open_id_untracked() == chat {
            match self.chats().is_stale() {
                // A reload inserts this message together with what other tabs changed meanwhile.
                true => self.chats().reload_open(),
                false => self.chats().show(chat, [message]),
            }
        }
        self.chats().refresh_chat(chat);
        if !gone {
            self.chats().record_finished(chat);
        }
        self.storage().measure();
        self.engine().refresh();
        self.events.emit(&match caller {
            Some(caller) => {
                let basis = request.map(|request| request.basis);
                AnswerEvent::Called(Box::new(PendingCalls::new(chat, caller, basis, held)))
            }
            None => AnswerEvent::Free(FreeChat {
                chat,
                outcome,
                lock: Cell::new(held),
            }),
        });
    }

    /// Learns from what an engine counted and took for an answer.
    fn learn_from(self, message: &Message, request: Option<&SentRequest>, usage: &Usage) {
        let Some(model) = message.model_id() else {
            return;
        };
        // What images cost is not in the estimate, and another model counts otherwise: such a count teaches nothing.
        let receipt = message.receipt.as_ref();
        let is_of_model = receipt.is_some_and(|r| r.images.sent == 0) && usage.model.is_none();
        let counted = usage.prompt_tokens.filter(|_| is_of_model);
        if let (Some(request), Some(counted)) = (request, counted) {
            self.steering().learn(&model, request.size, counted);
        }
        self.speeds
            .change(&model, |speed| speed.record_answer(usage));
    }

    /// Writes into the receipt of an answer what its engine said at the end.
    fn complete_receipt(self, message: &mut Message, usage: Usage, written_ms: Option<f64>) {
        let Some(receipt) = &mut message.receipt else {
            return;
        };
        receipt.prompt_tokens.counted = usage.prompt_tokens;
        receipt.answer_tokens = usage.answer_tokens;
        receipt.answered_by = usage.model;
        receipt.load_ms = usage.load_ms;
        receipt.prompt_ms = usage.prompt_ms;
        receipt.answer_ms = usage.answer_ms.or(written_ms);
        if message.outcome == Outcome::CutOff {
            *receipt = untrack(|| self.with_context(receipt.clone()));
        }
        if matches!(message.outcome, Outcome::Complete | Outcome::CutOff) {
            receipt.misfits = misfits(receipt.format.as_ref(), &message.content);
        }
    }

    fn announce_end(self, outcome: &Outcome, message: &Message) {
        let words = || message.content.split_whitespace().count();
        match outcome {
            Outcome::Complete => self.notices().announce(match NoText::of(message) {
                Some(no_text) => no_text.words().to_owned(),
                None => t!(state.answer_complete_words, words = words()),
            }),
            Outcome::CutOff => {
                let why = cut_off_words(message.receipt.as_ref(), false);
                self.notices()
                    .announce(t!(state.cut_off_words, why = &why, words = words()));
            }
            Outcome::Stopped => self.notices().announce(t!(state.answer_stopped)),
            Outcome::Interrupted => self.notices().announce(t!(state.answer_interrupted)),
            // The alert already announced the failure.
            Outcome::Failed(_) => {}
        }
    }

    /// Holds the chat's lock for as long as its answer runs; when another tab takes the lock over,
    /// the answer is stopped.
    pub fn hold_chat(self, chat: Id) -> HeldLock {
        let taken = Box::new(move || self.stop(chat));
        self.edges
            .with_locks(|locks| locks.hold(&lock_of(chat), taken))
    }

    /// Whether the answers of this browser go on without their page. Without locks two tabs would take up the same one,
    /// so there an answer ends with its page.
    pub fn outlive_page(self) -> bool {
        self.edges.with_locks(|locks| locks.exist())
    }

    /// Deletes a chat and stops what runs in it, here or in another tab.
    pub fn delete_chat(self, chat: Id) {
        self.stop(chat);
        if self.chats().is_temporary_untracked(chat) {
            // It ends when it is left, and can be kept for a while.
            return self.chats().begin_chat();
        }
        self.stop_kept(chat);
        self.chats().delete_chat(chat);
    }

    /// Deletes several chats as one step and stops what runs in them, here or in another tab.
    pub fn delete_chats(self, chats: &[Id]) {
        for chat in chats {
            self.stop(*chat);
            self.stop_kept(*chat);
        }
        match chats {
            [chat] => self.chats().delete_chat(*chat),
            chats => self.chats().delete_chats(chats),
        }
    }

    /// Writes the tails of all running answers and the draft, because the page may be about to be
    /// discarded.
    pub fn write_everything(self) {
        self.drafts().write();
        self.running.write_all_tails();
    }
}
