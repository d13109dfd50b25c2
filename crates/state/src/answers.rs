//! From a prompt to the end of its answer. An answer belongs to its chat and not to a view, so
//! opening another chat does not disturb it.

mod answer_now;
mod ask;
mod continuing;
mod next_request;
mod readiness;
mod reading_speed;
mod speed;
mod stages;
mod tools;
mod wait;

pub use readiness::Readiness;
pub use wait::{ReadingEstimate, Wait};

use crate::answer::{AnswerState, cut_off_words};
use crate::attachments::Attachments;
use crate::chats::{ChatEvent, Chats};
use crate::drafts::Drafts;
use crate::edges::{Edges, HeldLock};
use crate::engine::EngineStore;
use crate::notices::Notices;
use crate::overflow::{Overflow, OverflowSource};
use crate::prepared::Prepared;
use crate::reads::Reads;
use crate::remote_answers::{RemoteAnswers, lock_of};
use crate::running::{RunningAnswer, RunningAnswers};
use crate::settings::SettingsStore;
use crate::steering::Steering;
use crate::storage::Storage;
use futures::StreamExt;
use futures::future::AbortHandle;
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use reading_speed::ReadingSpeed;
use sash_chat::{Id, Image, Message, ModelId, Outcome, misfits};
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, ModelFeature};
use sash_words::t;
use std::collections::{BTreeMap, BTreeSet};
use tools::ToolRun;

/// The running answers.
#[derive(Clone, Copy)]
pub struct Answers {
    edges: Edges,
    notices: &'static Notices,
    storage: &'static Storage,
    settings: &'static SettingsStore,
    engine: &'static EngineStore,
    chats: &'static Chats,
    drafts: &'static Drafts,
    steering: &'static Steering,
    attachments: &'static Attachments,
    remote: &'static RemoteAnswers,
    reads: Reads,
    running: RunningAnswers,
    /// How fast the models read, as far as answers of this page told it.
    reading_speed: ReadingSpeed,
    /// The models, by their keys, that refused to carry on an answer since the page was loaded.
    refuse_to_continue: StoredValue<BTreeSet<String>>,
    /// The message id of the running answer, for each chat that has one.
    pub answering: RwSignal<BTreeMap<Id, Id>>,
    /// The answers whose calls are being answered by built-in tools.
    tool_runs: RwSignal<BTreeMap<Id, ToolRun>>,
    /// The chats in which an answer or a tool runs.
    busy: Memo<BTreeSet<Id>>,
    /// Whether a prompt can be sent now. One memo for all answers, because each of them has a
    /// button that depends on it.
    asks: Memo<bool>,
}

impl Answers {
    /// Creates the store without any running answer.
    #[must_use]
    #[expect(
        clippy::too_many_arguments,
        reason = "it names each store that it uses"
    )]
    pub fn new(
        edges: Edges,
        notices: &'static Notices,
        storage: &'static Storage,
        settings: &'static SettingsStore,
        engine: &'static EngineStore,
        chats: &'static Chats,
        drafts: &'static Drafts,
        steering: &'static Steering,
        attachments: &'static Attachments,
        remote: &'static RemoteAnswers,
        reads: Reads,
    ) -> Self {
        let answering: RwSignal<BTreeMap<Id, Id>> = RwSignal::new(BTreeMap::new());
        let tool_runs: RwSignal<BTreeMap<Id, ToolRun>> = RwSignal::new(BTreeMap::new());
        // Between an answer that calls tools and the next one there is no moment at which neither runs.
        let busy = Memo::new(move |_| {
            let mut busy: BTreeSet<Id> = answering.with(|all| all.keys().copied().collect());
            tool_runs.with(|runs| busy.extend(runs.values().map(ToolRun::chat)));
            busy
        });
        let asks = Memo::new(move |_| {
            let id = chats.open_id();
            let is_busy = busy.with(|busy| busy.contains(&id));
            !is_busy && !remote.is_held(id) && steering.model.with(Option::is_some)
        });
        let store = Self {
            edges,
            notices,
            storage,
            settings,
            engine,
            chats,
            drafts,
            steering,
            attachments,
            remote,
            reads,
            running: RunningAnswers::new(edges, storage),
            reading_speed: ReadingSpeed::new(),
            refuse_to_continue: StoredValue::default(),
            answering,
            tool_runs,
            busy,
            asks,
        };
        chats.listen(move |event| {
            if event == ChatEvent::Changed {
                store.stop_tools_of_deleted();
            }
        });
        store
    }

    /// Whether an answer or a tool runs in a chat.
    #[must_use]
    pub fn is_busy(self, chat: Id) -> bool {
        self.busy.with(|busy| busy.contains(&chat))
    }

    /// Whether an answer or a tool runs in any chat of this tab.
    #[must_use]
    pub fn is_any_busy(self) -> bool {
        self.busy.with(|busy| !busy.is_empty())
    }

    /// Whether an answer runs in a chat; does not subscribe to changes.
    #[must_use]
    pub fn runs_in(self, chat: Id) -> bool {
        self.answering.with_untracked(|all| all.contains_key(&chat))
    }

    /// Starts an answer: its message is written to the log first, then the request is sent.
    pub(crate) fn run(self, prepared: Prepared) {
        let Prepared {
            chat,
            answer: message,
            request,
            images,
            size,
            basis,
        } = prepared;
        let id = message.id;
        let (abort, registration) = AbortHandle::new_pair();
        self.storage.write(|log| log.begin_tail(chat, &message));
        let held = self.hold_chat(chat);
        let now = self.edges.monotonic();
        let running = RunningAnswer::new(chat, message.clone(), size, basis, abort, held, now);
        self.running.insert(running);
        self.answering.update(|all| _ = all.insert(chat, id));
        self.chats.show(chat, [message]);
        let model = request.model.clone();
        let used = ModelId::new(request.engine.as_deref(), &model);
        self.settings.record_use(&used.key());
        self.notices
            .announce(t!(state.is_answering, model = &model));
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

    /// Reads the images of a request from the browser's store. `images` are those of its context, message by
    /// message, and of its prompt.
    async fn load_images(
        self,
        mut request: ChatRequest,
        images: Vec<Vec<Image>>,
    ) -> Result<ChatRequest, Fault> {
        let mut loaded = self.attachments.load(images).await?;
        request.images = loaded.pop().unwrap_or_default();
        for (message, images) in request.context.iter_mut().zip(loaded) {
            message.images = images;
        }
        Ok(request)
    }

    async fn receive(self, id: Id, request: ChatRequest) -> Outcome {
        self.reads.record_sent(id, &request);
        let asked = self.edges.with_transport(|server| server.respond(request));
        let mut frames = match asked.await {
            Ok(frames) => frames,
            Err(fault) => {
                self.record_refusal_to_continue(id, &fault);
                return self.fail(id, fault);
            }
        };
        while let Some(frame) = frames.next().await {
            let frame = match frame {
                Ok(frame) => frame,
                Err(fault) => return self.fail(id, fault),
            };
            self.announce_stage(id, &frame);
            match frame {
                Frame::Reading(progress) => self.record_reading(id, progress),
                Frame::Endable { id: engine_id } => self.record_endable(id, engine_id),
                Frame::Text { text } => self.running.extend(id, &text, ""),
                Frame::Thinking { text } => self.running.extend(id, "", &text),
                Frame::ToolCalls { calls, left_out } => {
                    self.running.add_calls(id, calls, left_out);
                }
                Frame::Done { reason, usage } => {
                    self.running.with(id, |running| running.usage = usage);
                    return match reason {
                        DoneReason::Stop => Outcome::Complete,
                        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
                    };
                }
                Frame::Error { error } => {
                    self.record_refusal_to_continue(id, &error);
                    return self.fail(id, error);
                }
                Frame::Unknown => {}
            }
        }
        self.fail(id, Fault::ConnectionLost)
    }

    /// Reports a fault to the person and returns the outcome that the answer gets.
    fn fail(self, id: Id, fault: Fault) -> Outcome {
        if !self.record_overflow(id, &fault) {
            self.notices.announce_now(match &fault {
                // The reason of a broken stream is only for the server's log.
                Fault::BrokenStream { .. } => t!(state.the_answer_broke_off_what_came).to_owned(),
                fault => fault.to_string(),
            });
        }
        self.engine.record_fault(&fault);
        if let Fault::Unsupported { feature, .. } = &fault
            && *feature == ModelFeature::Images
            && let Some(model) = self.running.with(id, |r| r.message.model_id()).flatten()
        {
            self.engine.record_blind(model);
        }
        fault.outcome()
    }

    /// Uses the token count that Ollama reports for a request that did not fit, and offers
    /// remedies. Returns whether the offer is visible; if not, the fault has to be announced.
    fn record_overflow(self, id: Id, fault: &Fault) -> bool {
        let &Fault::ContextOverflow {
            prompt_tokens: tokens,
            context_tokens: context,
        } = fault
        else {
            return false;
        };
        let found = self.running.with(id, |running| {
            running.usage.prompt_tokens = Some(tokens);
            Some(Overflow {
                chat: running.chat,
                asked: OverflowSource::Question(running.message.parent?),
                tokens,
                context,
                guessed: false,
            })
        });
        let open = self.chats.open_id_untracked();
        // An answer tried with another window is not on the branch: the remedies would change a
        // window that it did not use.
        let seen = found.flatten().filter(|overflow| {
            overflow.chat == open && self.chats.path.with_untracked(|path| path.contains(&id))
        });
        let is_seen = seen.is_some();
        if is_seen {
            self.steering.overflow.set(seen);
        }
        is_seen
    }

    /// Stops the answer and the tools that run in a chat, if any. The text received so far is kept, and the calls of
    /// the tools wait for the person.
    pub fn stop(self, chat: Id) {
        self.stop_tools(chat);
        let Some(id) = self.answering.with_untracked(|all| all.get(&chat).copied()) else {
            return;
        };
        if let Some(abort) = self.running.with(id, |running| running.abort.clone()) {
            abort.abort();
        }
        self.finish(id, Outcome::Stopped);
    }

    fn finish(self, id: Id, outcome: Outcome) {
        self.running.show(id);
        // Write the tail of a deleted chat too: the chat may be restored.
        let chat = self.running.with(id, |running| running.chat);
        if chat.is_some_and(|chat| self.chats.is_gone(chat)) {
            self.running.write_tail(id);
        }
        let Some(mut running) = self.running.remove(id) else {
            return;
        };
        running.end_thinking(self.edges.monotonic());
        let RunningAnswer {
            chat,
            mut message,
            live,
            usage,
            size,
            basis,
            ..
        } = running;
        message.outcome = outcome.clone();
        if let (Some(receipt), Some(model)) = (&message.receipt, message.model_id()) {
            let guessed = receipt.prompt_tokens.estimated;
            // What images cost is not in the estimate, and another model counts otherwise: such a count teaches nothing.
            let is_of_model = receipt.images.sent == 0 && usage.model.is_none();
            let counted = usage.prompt_tokens.filter(|_| is_of_model);
            self.steering.learn(&model, size, guessed, counted);
            self.reading_speed.record(&model, &usage);
        }
        let model = message.model_id();
        let read_ahead =
            model.and_then(|model| self.reads.record_end(id, &model, &message.content, &usage));
        if let Some(receipt) = &mut message.receipt {
            receipt.read_ahead = read_ahead;
            receipt.prompt_tokens.counted = usage.prompt_tokens;
            receipt.answer_tokens = usage.answer_tokens;
            receipt.answered_by = usage.model;
            receipt.load_ms = usage.load_ms;
            receipt.prompt_ms = usage.prompt_ms;
            receipt.answer_ms = usage.answer_ms;
            if outcome == Outcome::CutOff {
                *receipt = untrack(|| self.with_context(receipt.clone()));
            }
            if matches!(outcome, Outcome::Complete | Outcome::CutOff) {
                receipt.misfits = misfits(receipt.format.as_ref(), &message.content);
            }
        }
        // A chat that another tab deleted keeps its tail in case it is restored; nothing else is
        // written to it.
        let gone = self.chats.is_gone(chat);
        if !gone {
            self.storage.write(|log| log.save_message(chat, &message));
        }
        live.receipt.set(message.receipt.clone());
        live.state.set(AnswerState::Ended(outcome.clone()));
        let calls = !gone && outcome == Outcome::Complete && message.tool_calls.is_some();
        match calls {
            true => self.announce_calls(&message),
            false => self.announce_end(&outcome, &message),
        }
        let caller = calls.then(|| message.clone());
        self.answering.update(|all| _ = all.remove(&chat));
        if !gone && self.chats.open_id_untracked() == chat {
            match self.chats.is_stale() {
                // A reload inserts this message together with what other tabs changed meanwhile.
                true => self.chats.reload_open(),
                false => self.chats.show(chat, [message]),
            }
        }
        self.chats.refresh_chat(chat);
        self.storage.measure();
        self.engine.refresh();
        if let Some(caller) = caller {
            self.answer_calls(chat, caller, basis);
        }
    }

    fn announce_end(self, outcome: &Outcome, message: &Message) {
        let words = || message.content.split_whitespace().count();
        match outcome {
            Outcome::Complete => self
                .notices
                .announce(t!(state.answer_complete_words, words = words())),
            Outcome::CutOff => {
                let why = cut_off_words(message.receipt.as_ref(), false);
                self.notices
                    .announce(t!(state.words, why = &why, words = words()));
            }
            Outcome::Stopped => self.notices.announce(t!(state.answer_stopped).to_owned()),
            Outcome::Interrupted => self
                .notices
                .announce(t!(state.answer_interrupted).to_owned()),
            // The alert already announced the failure.
            Outcome::Failed(_) => {}
        }
    }

    /// Holds the chat's lock for as long as its answer runs; when another tab takes the lock over,
    /// the answer is stopped.
    fn hold_chat(self, chat: Id) -> HeldLock {
        let taken = Box::new(move || self.stop(chat));
        self.edges
            .with_locks(|locks| locks.hold(&lock_of(chat), taken))
    }

    /// Deletes a chat and stops what runs in it.
    pub fn delete_chat(self, chat: Id) {
        self.stop(chat);
        self.chats.delete_chat(chat);
    }

    /// Writes the tails of all running answers and the draft, because the page may be about to be
    /// discarded.
    pub fn write_everything(self) {
        self.drafts.write();
        self.running.write_all_tails();
    }
}
