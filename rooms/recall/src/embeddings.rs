//! The second ranking of recall: vectors of messages, made by an embedding model of an Ollama where the person chose one.
//! They are computed while no answer runs in this tab, kept in this browser, and compared with the prompt's. Without a
//! model nothing is asked and nothing is kept.

mod edges;
mod idle;
mod model;
mod prompt;
mod start;

pub use edges::{EmbeddingEdges, Vectors};
pub use start::WaitingEmbeddings;
use start::{chosen_model, is_started};

use crate::{EmbedRequest, EmbeddingSettings, EmbeddingSettingsStoreFields};
use futures::future::AbortHandle;
use model::ActiveModel;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, RecallMode};
use sash_search::vectors::{QuantizedVector, VectorIndex};
use sash_stores::edges::Call;
use sash_stores::hooks::Turn;
use sash_stores::{Edges, Kernel, KernelStores, Newest, PartStore, Tickets, uses};
use sash_wire::{DraftMark, Embedded, Fault, ModelInfo, UnsentScope, Upstream};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// How long nothing must have changed before vectors are computed.
const IDLE_WAIT: Duration = Duration::from_secs(1);
/// The pause after a failure; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// What becomes of the vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EmbeddingState {
    /// Nothing is to be done.
    #[default]
    Idle,
    /// Whether something is to be read is looked up in a moment.
    Due,
    /// Messages of a chat are being read.
    Working {
        /// How many of that chat are left.
        left: usize,
    },
    /// A request failed; the next one comes later.
    Paused(Fault),
}

/// The vectors of messages and of the prompt.
#[derive(Clone, Copy)]
pub struct Embeddings {
    edges: Edges,
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<EmbeddingSettings>,
    embed: Call<EmbedRequest, Embedded>,
    vectors: StoredValue<Rc<dyn Vectors>, LocalStorage>,
    /// The models to choose from; `None` before [`Self::list`].
    pub offered: Newest<Option<Vec<ModelInfo>>>,
    /// What is being done.
    pub state: RwSignal<EmbeddingState>,
    /// Vectors came: what was found without them may be ranked again.
    pub(crate) news: RwSignal<()>,
    /// Whether an answer or a summary is being written, in this tab or, as far as it knows, in another: that ends the work.
    busy: Memo<bool>,
    /// Whether nothing is read ahead either, which comes first and does not end the work.
    is_free: Memo<bool>,
    /// Whether drafts may go to the engine of the chosen model.
    pub(crate) may_have_drafts: Memo<bool>,
    /// Whether the chosen model may read messages.
    is_started: Memo<bool>,
    known: StoredValue<VectorCache, LocalStorage>,
    /// The timers: only the last one starts work.
    timers: Tickets,
}

uses!(Embeddings.kernel: storage engine chats steering);

/// What is known of the vectors of the chosen model.
#[derive(Default)]
struct VectorCache {
    /// The chosen model's key.
    key: Option<String>,
    /// That model, once it was found among the installed ones.
    model: Option<ActiveModel>,
    /// Whether it must be looked for again: after a failure it may be gone, or another one of that name.
    is_doubtful: bool,
    index: VectorIndex,
    /// The chats whose kept vectors were read.
    read: BTreeSet<Id>,
    /// The chats that are not open and have all vectors, with the time of their newest message.
    complete: BTreeMap<Id, u64>,
    /// Messages of which the model makes no usable vector.
    skipped: BTreeSet<(Id, Id)>,
    /// The vectors of the last prompts, by their text.
    prompts: VecDeque<(String, QuantizedVector)>,
    /// The prompt to ask for next.
    next_prompt: Option<String>,
    /// What runs, and its end.
    running: Option<(Work, AbortHandle)>,
    /// Whether to look for missing vectors again once that has ended.
    is_due: bool,
    /// The last pause after a failure; none after a success.
    pause: Duration,
    /// When the pause ends, on the monotonic clock in milliseconds.
    paused_until: f64,
}

impl VectorCache {
    /// The vector of a prompt, if it is there.
    fn vector_of(&self, prompt: &str) -> Option<&QuantizedVector> {
        let mut prompts = self.prompts.iter();
        prompts
            .find(|(text, _)| text == prompt)
            .map(|(_, vector)| vector)
    }
}

/// What vectors are asked for; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// The prompt, which the person waits for.
    Prompt,
    /// Messages, which no one waits for.
    Messages,
}

impl Embeddings {
    /// Creates the store, which follows the chosen model, the branch, and whether something is being written.
    #[must_use]
    pub(crate) fn new(kernel: Kernel, own: EmbeddingEdges) -> Self {
        let KernelStores {
            edges,
            engine,
            chats,
            steering,
            turns,
            ..
        } = kernel.stores();
        let settings: PartStore<EmbeddingSettings> = kernel.settings().part();
        let busy = Memo::new(move |_| !turns.is_free(Turn::Ahead));
        let is_free = Memo::new(move |_| turns.is_free(Turn::Idle));
        let may_have_drafts = Memo::new(move |_| {
            let model = chosen_model(settings);
            model.is_some_and(|model| engine.may_send(&model) == UnsentScope::Draft)
        });
        let is_started = Memo::new(move |_| is_started(settings, engine));
        let store = Self {
            edges,
            kernel,
            settings,
            embed: own.embed,
            vectors: StoredValue::new_local(own.vectors),
            offered: Newest::new(None),
            state: RwSignal::new(EmbeddingState::default()),
            news: RwSignal::new(()),
            busy,
            is_free,
            may_have_drafts,
            is_started,
            known: StoredValue::new_local(VectorCache::default()),
            timers: Tickets::new(),
        };
        // The engine of the prompt's vector gets drafts too.
        kernel.draft_question().ask_for(move || {
            let recalls = steering.recall_setting.get().mode == RecallMode::ByItself;
            chosen_model(settings).filter(|_| recalls)
        });
        let forget = move |gone: &BTreeSet<_>| {
            let gone = gone.iter().copied().collect();
            edges.spawn(async move { store.vectors.get_value().delete(gone).await });
        };
        kernel.storage().purged().on(forget);
        // These start and end the work of idle times.
        Effect::new(move || {
            settings.current.embedding_model().track();
            untrack(|| store.follow_model());
        });
        Effect::new(move || {
            busy.track();
            is_free.track();
            is_started.track();
            chats.path.track();
            steering.recall_setting.track();
            untrack(|| store.update());
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Whether vectors are of use now: a model is chosen and may read, the chat recalls by itself, and no answer runs, which
    /// would have to share the machine.
    fn can_request(self) -> bool {
        let chosen = self.settings.current.embedding_model();
        let setting = self.steering().recall_setting.get_untracked();
        chosen.with_untracked(Option::is_some)
            && self.is_started.get_untracked()
            && setting.mode == RecallMode::ByItself
            && self.engine().upstream() == Upstream::Ollama
            && !self.busy.get_untracked()
    }

    /// The title of the engine whose model was chosen, if no draft goes there: while one types, messages are found by
    /// words alone.
    #[must_use]
    pub fn engine_without_drafts(self) -> Option<String> {
        let model = chosen_model(self.settings)?;
        let engine = model.engine.as_deref();
        let is_known = self.engine().name_of(engine).is_some();
        (is_known && !self.may_have_drafts.get()).then(|| self.engine().title(engine))
    }

    /// Computes missing vectors soon, or stops if they are of no use now. Call it when the branch or the way of
    /// recalling changes.
    pub(crate) fn update(self) {
        if !self.can_request() {
            self.stop();
            return;
        }
        let now = self.edges.monotonic();
        let timer = self.timers.begin();
        let wait = self.known.try_update_value(|known| {
            known.is_due = known.running.is_some();
            let paused = Duration::from_secs_f64((known.paused_until - now).max(0.0) / 1000.0);
            (!known.is_due).then_some(paused.max(IDLE_WAIT))
        });
        if let Some(wait) = wait.flatten() {
            if self
                .state
                .with_untracked(|state| *state == EmbeddingState::Idle)
            {
                self.state.set(EmbeddingState::Due);
            }
            self.edges.after(wait, move || {
                if timer.is_current() && self.can_request() && self.is_free.get_untracked() {
                    self.run(Work::Messages);
                }
            });
        }
    }

    /// Asks for vectors, instead of what runs.
    fn run(self, work: Work) {
        self.timers.cancel();
        let (abort, registration) = AbortHandle::new_pair();
        let former = self.known.try_update_value(|known| {
            // A prompt may have ended what was read of messages.
            known.is_due = work == Work::Prompt;
            known.running.replace((work, abort))
        });
        if let Some((_, former)) = former.flatten() {
            former.abort();
        }
        self.edges.spawn_abortable(registration, async move {
            let ended = match work {
                Work::Prompt => self.answer_prompts().await,
                Work::Messages => self.complete_chats().await,
            };
            let is_due = self.known.try_update_value(|known| {
                known.running = None;
                known.is_due
            });
            let is_due = is_due == Some(true) || ended.is_err();
            self.record_result(ended);
            if is_due {
                self.update();
            }
        });
    }

    /// Ends all requests. What came is kept.
    fn stop(self) {
        self.timers.cancel();
        let running = self.known.try_update_value(|known| {
            known.next_prompt = None;
            known.running.take()
        });
        if let Some((_, running)) = running.flatten() {
            running.abort();
        }
        if !matches!(self.state.get_untracked(), EmbeddingState::Paused(_)) {
            self.state.set(EmbeddingState::Idle);
        }
    }

    /// Asks for the vectors of some texts.
    async fn request_vectors(
        self,
        model: &ActiveModel,
        texts: Vec<String>,
        draft: Option<DraftMark>,
    ) -> Result<Vec<Vec<f32>>, Fault> {
        let count = texts.len();
        let request = EmbedRequest {
            model: model.id.name.clone(),
            upstream: Upstream::Ollama,
            engine: model.id.engine.clone(),
            draft,
            texts,
        };
        let answer = self.embed.send(request);
        let vectors = answer.await?.vectors;
        match vectors.len() == count {
            true => Ok(vectors),
            false => Err(Fault::Internal),
        }
    }

    /// Notes how a request ended; after a failure, the next one comes after a pause.
    fn record_result(self, ended: Result<(), Fault>) {
        let now = self.edges.monotonic();
        self.known.update_value(|known| match &ended {
            Ok(()) => {
                known.pause = Duration::ZERO;
                known.paused_until = 0.0;
            }
            Err(_) => {
                known.is_doubtful = true;
                known.pause = (known.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                known.paused_until = now + known.pause.as_secs_f64() * 1000.0;
            }
        });
        let state = ended.map_or_else(EmbeddingState::Paused, |()| EmbeddingState::Idle);
        if self.state.with_untracked(|known| *known != state) {
            self.state.set(state);
        }
    }

    fn is_paused(self) -> bool {
        let now = self.edges.monotonic();
        self.known.with_value(|known| now < known.paused_until)
    }
}
