//! The second ranking of recall: vectors of messages, made by an embedding model of an Ollama where the person chose one.
//! They are computed while nothing more urgent uses an engine, kept in this browser, and compared with the prompt's.
//! Without a model nothing is asked and nothing is kept.

mod edges;
mod messages;
mod model;
mod prompt;
mod start;

pub use edges::{EmbeddingEdges, Vectors};
pub use start::WaitingEmbeddings;
use start::{chosen_model, is_started};

use crate::{EmbedRequest, EmbeddingSettings, EmbeddingSettingsStoreFields};
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
use sash_stores::hooks::Urgency;
use sash_stores::{
    Edges, EngineTask, Kernel, KernelStores, Newest, PartStore, SettingsStoreFields, Tickets, uses,
};
use sash_wire::{DraftMark, Embedded, Fault, ModelInfo, UnsentScope, Upstream};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// The pause after a failure; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Progress of the vectors of messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EmbeddingState {
    /// Nothing is to be done.
    #[default]
    Idle,
    /// Messages are looked through once the engines are free.
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
    /// True while vectors are of use: the chosen model may read, the chat recalls by itself, and no answer or summary is
    /// being written, in this tab or, as far as it knows, in another, which would have to share the machine.
    is_wanted: Memo<bool>,
    /// Whether drafts may go to the engine of the chosen model.
    pub(crate) may_have_drafts: Memo<bool>,
    /// Whether the chosen model may read messages.
    is_started: Memo<bool>,
    known: StoredValue<VectorCache, LocalStorage>,
    /// The request for the vector of a prompt, which the person waits for: that for vectors of messages gives way to it.
    prompt: EngineTask,
    /// The reading of messages, which no one waits for.
    messages: EngineTask,
    /// Changes of what is to be read: after one, messages are looked through once more.
    changes: Tickets,
}

uses!(Embeddings.kernel: storage engine chats steering);

/// What is known of the vectors of the chosen model.
#[derive(Default)]
struct VectorCache {
    /// The chosen model's key.
    key: Option<String>,
    /// That model, once it was found among the installed ones.
    model: Option<ActiveModel>,
    index: VectorIndex,
    /// The chats whose kept vectors were read.
    read: BTreeSet<Id>,
    /// The chats that are not open and have all vectors, with the time of their newest message.
    complete: BTreeMap<Id, u64>,
    /// Messages of which the model makes no usable vector.
    skipped: BTreeSet<(Id, Id)>,
    /// The vectors of the last prompts, by their text; `None` for one of which the model makes no usable vector.
    prompts: VecDeque<(String, Option<QuantizedVector>)>,
    /// The last pause after a failure; none once messages were read without one.
    pause: Duration,
    /// When the pause ends, on the monotonic clock in milliseconds.
    paused_until: f64,
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
            engine_users,
            ..
        } = kernel.stores();
        let settings: PartStore<EmbeddingSettings> = kernel.settings().part();
        let may_have_drafts = Memo::new(move |_| {
            let model = chosen_model(settings);
            model.is_some_and(|model| engine.may_send(&model) == UnsentScope::Draft)
        });
        let is_started = Memo::new(move |_| is_started(settings, engine));
        let upstream = kernel.settings().current.upstream();
        let is_wanted = Memo::new(move |_| {
            is_started.get()
                && steering.recall_setting.get().mode == RecallMode::ByItself
                && upstream.get() == Upstream::Configured
                && engine_users.is_free(Urgency::Ahead)
        });
        let store = Self {
            edges,
            kernel,
            settings,
            embed: own.embed,
            vectors: StoredValue::new_local(own.vectors),
            offered: Newest::new(None),
            state: RwSignal::new(EmbeddingState::default()),
            news: RwSignal::new(()),
            is_wanted,
            may_have_drafts,
            is_started,
            known: StoredValue::new_local(VectorCache::default()),
            prompt: EngineTask::new(kernel, Urgency::Ahead),
            messages: EngineTask::new(kernel, Urgency::Idle),
            changes: Tickets::new(),
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
        // Starts and ends the reading of messages.
        Effect::new(move || {
            settings.current.embedding_model().track();
            is_wanted.track();
            _ = engine_users.is_free(Urgency::Idle);
            chats.path.track();
            steering.recall_setting.track();
            untrack(|| store.follow());
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
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

    /// Reads messages while vectors are of use and nothing more urgent uses an engine. Call it when that, or what is to be
    /// read, has changed.
    fn update(self) {
        self.changes.cancel();
        if !self.is_wanted.get_untracked() {
            self.prompt.stop();
            self.messages.stop();
            self.show(EmbeddingState::Idle);
        } else if !untrack(|| self.kernel.engine_users().is_free(Urgency::Idle)) {
            self.messages.stop();
            self.show(EmbeddingState::Due);
        } else if !untrack(|| self.messages.is_running()) {
            self.show(EmbeddingState::Due);
            self.messages
                .start(self.read_messages(), move |ended| match ended {
                    Ok(()) => {
                        self.known
                            .update_value(|known| known.pause = Duration::ZERO);
                        self.state.set(EmbeddingState::Idle);
                    }
                    Err(fault) => self.pause(fault),
                });
        }
    }

    /// Shows what is done, unless a failure is shown: that one stays until messages are read again.
    fn show(self, state: EmbeddingState) {
        if !matches!(self.state.get_untracked(), EmbeddingState::Paused(_)) {
            self.state.set(state);
        }
    }

    /// Asks for nothing for a while after a failure, each time for longer, and then tries again.
    fn pause(self, fault: Fault) {
        let now = self.edges.monotonic();
        self.known.update_value(|known| {
            known.pause = (known.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
            known.paused_until = now + known.pause.as_secs_f64() * 1000.0;
        });
        self.state.set(EmbeddingState::Paused(fault));
        self.update();
    }

    /// The time for which nothing is asked yet.
    fn rest_of_pause(self) -> Duration {
        let until = self.known.with_value(|known| known.paused_until);
        Duration::from_secs_f64((until - self.edges.monotonic()).max(0.0) / 1000.0)
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
            upstream: Upstream::Configured,
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
}
