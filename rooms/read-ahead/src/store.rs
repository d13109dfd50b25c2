//! Has the model read the next prompt while it is written, so that its first word comes at once. What is read is what
//! would be sent: one decision, one body. It gives way to every prompt, and does nothing that a person would not expect
//! of a page that is left open.

use crate::reads::{ReadStop, Reads};
use crate::rules::{Facts, REST, ReadDecision, pause, verdict, whole_words};
use crate::settings::{ReadAheadSettings, ReadAheadSettingsStoreFields};
use crate::{PLACEHOLDER, READS_AHEAD, ReadEnd, ReadRequest, ReadResult, common_tokens};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::ContextFit;
use sash_chat::{Id, ModelId};
use sash_stores::edges::Call;
use sash_stores::hooks::{EngineUsers, Urgency};
use sash_stores::{
    ChatEvent, Edges, EngineTask, Kernel, KernelStores, PartStore, Ticket, Tickets, uses,
};
use sash_wire::{ChatRequest, DraftMark, Fault, UnsentScope};
use sash_words::t;
use std::collections::BTreeSet;

/// What was read of the next prompt of a chat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadProgress {
    /// The chat.
    pub chat: Id,
    /// About how many tokens of it are read.
    pub tokens: u64,
    /// About how many tokens it had when it was read.
    pub total: u64,
    /// When it was last read, in milliseconds since 1970.
    pub at: u64,
}

/// Has the model read the next prompt of the open chat.
#[derive(Clone, Copy)]
pub struct ReadAhead {
    edges: Edges,
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<ReadAheadSettings>,
    call: Call<ReadRequest, ReadResult>,
    engine_users: EngineUsers,
    /// What each model has read.
    pub reads: Reads,
    /// What was read of the next prompt; `None` where nothing was, and no tokens at the beginning of a read.
    pub progress: RwSignal<Option<ReadProgress>>,
    /// The read that runs.
    reading: EngineTask,
    /// The typing pauses: only the last one counts.
    rests: Tickets,
    known: StoredValue<TypingTimes, LocalStorage>,
}

uses!(ReadAhead.kernel: engine chats drafts steering answers);

/// The times of what happened last on this page, on the monotonic clock in milliseconds.
struct TypingTimes {
    /// The chat and its draft.
    draft: (Id, String),
    /// When the person last wrote something.
    key: f64,
    /// When the person began to write, since it was last looked whether something is to be read.
    writing: Option<f64>,
    /// When an answer of the open chat last ended.
    answer: f64,
    /// The chat that asked last, if it is one of this tab, and when.
    asked: (Option<Id>, f64),
    /// Whether something was being answered.
    was_busy: bool,
    /// What came before the prompt at the last rest.
    before: Option<ChatRequest>,
    /// The models of which it was said that they read nothing ahead any more, by their keys.
    said: BTreeSet<String>,
}

impl ReadAhead {
    /// Creates the store, which follows what the person writes and what is answered.
    #[must_use]
    pub fn new(kernel: Kernel, call: Call<ReadRequest, ReadResult>) -> Self {
        let KernelStores {
            edges,
            notices,
            engine,
            chats,
            drafts,
            steering,
            answers,
            engine_users,
            ..
        } = kernel.stores();
        let reads = Reads::new(answers);
        let draft = drafts.draft.get_untracked();
        let settings: PartStore<ReadAheadSettings> = kernel.settings().part();
        let store = Self {
            edges,
            kernel,
            settings,
            call,
            engine_users,
            reads,
            progress: RwSignal::new(None),
            reading: EngineTask::new(kernel, Urgency::Ahead),
            rests: Tickets::new(),
            known: StoredValue::new_local(TypingTimes {
                draft: (chats.open_id_untracked(), draft),
                key: f64::NEG_INFINITY,
                writing: None,
                answer: f64::NEG_INFINITY,
                asked: (None, f64::NEG_INFINITY),
                was_busy: false,
                before: None,
                said: BTreeSet::new(),
            }),
        };
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                store.stop();
                store.progress.set(None);
            }
        });
        // Sends requests, after a rest.
        Effect::new(move || {
            _ = chats.open_id();
            drafts.draft.track();
            drafts.images.track();
            steering.window.track();
            steering.model.track();
            steering.think.track();
            settings.current.read_ahead().track();
            answers.answering.track();
            _ = engine_users.is_free(Urgency::Ahead);
            // Whether the model is in memory.
            engine.state.with(|_| ());
            untrack(|| store.follow());
        });
        // Shows a notice, once for each model.
        Effect::new(move || {
            let Some(model) = steering.model.get() else {
                return;
            };
            let is_news = |known: &mut TypingTimes| known.said.insert(model.key().into_owned());
            if let Some(why) = reads.stop_of(&model)
                && store.known.try_update_value(is_news) == Some(true)
            {
                untrack(|| notices.show(stop_words(&model, &why)));
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Records what happened, and looks after a rest whether something is to be read.
    fn follow(self) {
        let now = self.edges.monotonic();
        let chat = self.chats().open_id_untracked();
        let draft = self.drafts().draft.get_untracked();
        let is_busy = !untrack(|| self.engine_users.is_free(Urgency::Ahead));
        let asking = self
            .answers()
            .answering
            .with_untracked(|all| all.keys().next().copied());
        let writing = self.known.try_update_value(|known| {
            if known.draft.0 == chat && known.draft.1 != draft && !draft.is_empty() {
                known.key = now;
                known.writing.get_or_insert(now);
            }
            known.draft = (chat, draft);
            if is_busy && !known.was_busy {
                known.asked = (asking, now);
            }
            if known.was_busy && !is_busy && known.asked.0 == Some(chat) {
                known.answer = now;
            }
            known.was_busy = is_busy;
            known.writing
        });
        let rest = self.rests.begin();
        if is_busy {
            self.stop();
            // The next prompt is another one.
            self.progress.set(None);
        } else if !matches!(self.verdict(false), ReadDecision::No) {
            let writing = writing.flatten().map_or(0.0, |since| now - since);
            self.edges
                .after(pause(writing), move || self.consider(rest));
        }
    }

    /// Looks whether something is to be read now, unless something happened since the rest began.
    fn consider(self, rest: Ticket) {
        if !rest.is_current() {
            return;
        }
        let now = self.edges.monotonic();
        let key = self.known.with_value(|known| known.key);
        let is_resting = now - key >= REST.as_secs_f64() * 1000.0;
        let is_reading = untrack(|| self.is_reading());
        // Who writes on does not end what is being read: it would never come to its end.
        if is_reading && !is_resting {
            self.edges.after(REST, move || self.consider(rest));
            return;
        }
        self.known.update_value(|known| known.writing = None);
        let is_settled = self.settle();
        match untrack(|| self.verdict(is_settled)) {
            ReadDecision::No => {}
            ReadDecision::Wait(wait) => self.edges.after(wait, move || self.consider(rest)),
            ReadDecision::Read => self.start(),
        }
    }

    fn verdict(self, is_settled: bool) -> ReadDecision {
        let Some(model) = self.steering().model.get_untracked() else {
            return ReadDecision::No;
        };
        let now = self.edges.monotonic();
        let chat = self.chats().open_id_untracked();
        let (key, answer, asked) = self
            .known
            .with_value(|known| (known.key, known.answer, known.asked));
        let server_reads = self
            .engine()
            .state
            .with_untracked(|state| state.as_ref().is_some_and(|state| state.says(READS_AHEAD)));
        let (fit, _) = self.steering().fit.get_untracked();
        verdict(&Facts {
            time: self.settings.current.read_ahead().get_untracked(),
            server_reads,
            scope: untrack(|| self.scope(&model)),
            is_stopped: untrack(|| self.reads.stop_of(&model)).is_some(),
            is_absent: untrack(|| self.engine().is_loaded(&model)) == Some(false),
            is_busy: !untrack(|| self.engine_users.is_free(Urgency::Ahead)),
            is_visible: self.edges.with_page(|page| page.is_visible()),
            saves_data: self.edges.with_page(|page| page.saves_data()),
            has_new_images: self
                .drafts()
                .images
                .with_untracked(|images| !images.is_empty()),
            fits: fit != ContextFit::Over,
            is_settled,
            since_key: now - key,
            since_answer: now - answer,
            since_other_chat: match asked.0 == Some(chat) {
                true => f64::INFINITY,
                false => now - asked.1,
            },
        })
    }

    /// What the model may read now. Without the draft, nothing that its engine has not read already.
    fn scope(self, model: &ModelId) -> UnsentScope {
        match self.engine().may_send(model) {
            UnsentScope::Sent if !self.answers().was_beginning_read() => UnsentScope::Nothing,
            scope => scope,
        }
    }

    /// Whether what comes before the prompt is what it was at the last rest, where it may change with the draft.
    fn settle(self) -> bool {
        let follows_draft = self.steering().follows_draft.get_untracked();
        let offers = self.steering().quotes.with_untracked(Option::is_some);
        if !follows_draft && !offers {
            return true;
        }
        let now = untrack(|| self.answers().next_request());
        let now = ChatRequest {
            prompt: self.steering().quotes.with_untracked(|block| {
                block
                    .as_ref()
                    .map(|block| block.text.clone())
                    .unwrap_or_default()
            }),
            ..now
        };
        let former = self
            .known
            .try_update_value(|known| known.before.replace(now.clone()));
        former.flatten() == Some(now)
    }

    /// Reads what is not read yet.
    fn start(self) {
        let Some(model) = self.steering().model.get_untracked() else {
            return;
        };
        let scope = untrack(|| self.scope(&model));
        let draft = self.drafts().draft.get_untracked();
        let (text, mark) = match scope {
            UnsentScope::Draft => {
                let mark = untrack(|| self.engine().draft_mark(model.engine.as_deref()));
                (whole_words(&draft).to_owned(), Some(mark))
            }
            UnsentScope::Sent | UnsentScope::Nothing => (String::new(), None),
        };
        // The tokens of a prompt that is read to its end are exact, for an engine that cannot count otherwise.
        let count = (text == draft).then(|| self.steering().begin_count());
        let text = match text.is_empty() {
            true => PLACEHOLDER.to_owned(),
            false => text,
        };
        // What is quoted follows from the draft.
        let request = self.answers().load_request_of(text, mark.is_some());
        let chat = self.chats().open_id_untracked();
        let of_model = model.clone();
        let read = async move {
            // Images that are gone from this browser are a fault of the prompt, not of its reading.
            let request = request.await.ok()?;
            self.read(chat, &of_model, request, mark).await
        };
        self.reading.start(read, move |counted| {
            if let (Some(count), Some(tokens)) = (count, counted) {
                self.steering().end_count(&model, count, tokens);
            }
        });
    }

    /// Reads a prompt part by part. Returns its tokens where the engine counted them. Whoever sends a prompt, or leaves
    /// the chat, aborts it.
    async fn read(
        self,
        chat: Id,
        model: &ModelId,
        request: ChatRequest,
        mark: Option<DraftMark>,
    ) -> Option<u64> {
        let total = common_tokens(&request, &request);
        loop {
            let (before, is_whole) = untrack(|| {
                self.reads.with(model, |reads| {
                    (reads.read_of(&request), reads.has_read(&request))
                })
            });
            self.show(chat, before.min(total), total);
            if is_whole {
                return None;
            }
            let body = ReadRequest {
                request: ChatRequest {
                    draft: mark,
                    ..request.clone()
                },
                read_before: before,
                parts: Some(1),
            };
            let result = match self.call.send(body).await {
                Ok(result) => result,
                Err(fault) => {
                    if is_refusal(&fault) {
                        self.reads.record_refusal(&request, &fault);
                    }
                    self.progress.set(None);
                    return None;
                }
            };
            self.reads.record(&request, &result);
            if result.end != ReadEnd::Part || untrack(|| self.reads.stop_of(model)).is_some() {
                let tokens = untrack(|| self.reads.with(model, |r| r.read_of(&request)));
                self.show(chat, tokens.min(total), total);
                let is_whole = result.end == ReadEnd::Whole;
                return result.prompt_tokens.filter(|_| is_whole);
            }
        }
    }

    fn show(self, chat: Id, tokens: u64, total: u64) {
        let former = self.progress.get_untracked();
        let same = former.filter(|former| former.chat == chat && former.tokens == tokens);
        let at = same.map_or_else(|| self.edges.now(), |former| former.at);
        self.progress.set(Some(ReadProgress {
            chat,
            tokens,
            total,
            at,
        }));
    }

    /// True while the model reads.
    #[must_use]
    pub fn is_reading(self) -> bool {
        self.reading.is_running()
    }

    /// Ends what is being read, and forgets the rest that was awaited.
    fn stop(self) {
        self.rests.cancel();
        self.known.update_value(|known| known.writing = None);
        self.reading.stop();
    }
}

/// Whether a fault says that the prompt would be refused too.
fn is_refusal(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::QuestionFirst { .. }
            | Fault::NoSystemPrompt { .. }
            | Fault::TemplateRefused { .. }
            | Fault::RequestRefused { .. }
            | Fault::EngineRefused { .. }
            | Fault::InvalidField { .. }
            | Fault::Unsupported { .. }
            | Fault::ContextOverflow { .. }
    )
}

/// Why a model reads nothing ahead any more, as a sentence.
#[must_use]
pub fn stop_words(model: &ModelId, why: &ReadStop) -> String {
    let model = sash_wire::short_name(&model.name);
    match why {
        ReadStop::Loaded => t!(read_ahead.stop_loaded, model = &model),
        ReadStop::Wasted => t!(read_ahead.stop_wasted, model = &model),
        ReadStop::Gone => t!(read_ahead.stop_gone, model = &model),
        ReadStop::Refused(why) => t!(read_ahead.stop_refused, model = &model, why = &why),
    }
}
