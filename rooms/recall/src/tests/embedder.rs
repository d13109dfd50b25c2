//! Embedding models of the server, and the vectors that the browser keeps, in memory.

use crate::{EmbedRequest, Embeddings, Vectors};
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, ready};
use reactive_graph::prelude::*;
use sash_chat::{Id, RecallMode, RecallSetting};
use sash_harness::{House, Machine};
use sash_wire::{DraftMark, Embedded, Fault, ModelInfo};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// The setting of a chat that recalls by itself.
pub fn by_itself() -> RecallSetting {
    RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    }
}

/// What a model answers in [`Embedder::talk`].
pub const WINE: &str = "A bottle of red wine goes well with it.";

fn model(name: &str, digest: &str) -> ModelInfo {
    ModelInfo {
        name: name.to_owned(),
        digest: Some(digest.to_owned()),
        capabilities: vec!["embedding".to_owned()],
        ..ModelInfo::default()
    }
}

/// Chooses a model of [`Embedder::install`] and lets it read everything.
pub fn choose(machine: &Machine, embeddings: Embeddings) {
    embeddings.choose(Some("near:latest".to_owned()));
    embeddings.start_reading();
    machine.pass(2000.0);
}

/// A request whose end the test decides.
type SlowRequest = oneshot::Receiver<Result<(), Fault>>;

/// Whose vectors are kept, and each under its chat and message.
type KeptVectors = (String, BTreeMap<(Id, Id), Vec<u8>>);

/// All embedding models; a clone is the same.
#[derive(Clone, Default)]
pub struct Embedder {
    /// The texts that vectors were asked for, a request each.
    pub asked: Rc<RefCell<Vec<Vec<String>>>>,
    /// The marks of these requests, for those that carry a draft.
    pub marks: Rc<RefCell<Vec<Option<DraftMark>>>>,
    /// Requests that were dropped before their end.
    pub dropped: Rc<Cell<usize>>,
    /// Words that mean the same, each list a direction of its own.
    pub meanings: Rc<RefCell<Vec<Vec<&'static str>>>>,
    slow: Rc<RefCell<VecDeque<SlowRequest>>>,
    slow_reads: Rc<RefCell<VecDeque<oneshot::Receiver<()>>>>,
    /// The vectors that all tabs share.
    pub kept: Rc<RefCell<KeptVectors>>,
}

impl Embedder {
    /// Installs two embedding models and one of Ollama's cloud.
    pub fn install(&self, machine: &Machine) {
        let cloud = ModelInfo {
            remote: true,
            ..model("far:cloud", "c")
        };
        let models = [model("near:latest", "a"), model("other:latest", "b"), cloud];
        machine.more_models.borrow_mut().extend(models);
        *self.meanings.borrow_mut() = vec![
            vec!["wine", "beverage"],
            vec!["soup", "cook"],
            vec!["train", "station"],
            vec!["hash", "picture"],
        ];
    }

    /// Begins a chat that recalls by itself, with talk of wine far above the window. Returns the id of that answer.
    pub fn talk(&self, machine: &Machine, house: House) -> Id {
        self.install(machine);
        house.steering.set_recall(by_itself());
        for (question, answer) in [
            ("What goes with lentils?", WINE),
            (
                "How do I cook rice?",
                "Like a soup at first, then without water.",
            ),
            ("When does the train leave?", "At nine, from the station."),
            ("How do I name a picture?", "By the hash of its content."),
        ] {
            house.exchange(machine, question, answer);
        }
        house.chats.path.get_untracked()[1]
    }

    /// Makes the next request wait for the test.
    pub fn slow(&self) -> oneshot::Sender<Result<(), Fault>> {
        let (send, ended) = oneshot::channel();
        self.slow.borrow_mut().push_back(ended);
        send
    }

    /// Makes the next reading of kept vectors wait for the test.
    pub fn slow_read(&self) -> oneshot::Sender<()> {
        let (send, read) = oneshot::channel();
        self.slow_reads.borrow_mut().push_back(read);
        send
    }

    /// Answers a request.
    pub fn embed(&self, request: EmbedRequest) -> LocalBoxFuture<'static, Result<Embedded, Fault>> {
        let vectors = request.texts.iter().map(|text| self.vector(text)).collect();
        self.asked.borrow_mut().push(request.texts);
        self.marks.borrow_mut().push(request.draft);
        let slow = self.slow.borrow_mut().pop_front();
        let mut guard = DropGuard(Some(self.dropped.clone()));
        async move {
            let ended = match slow {
                Some(slow) => slow.await.unwrap_or(Err(Fault::ConnectionLost)),
                None => Ok(()),
            };
            guard.disarm();
            ended.map(|()| Embedded {
                vectors,
                tokens: None,
            })
        }
        .boxed_local()
    }

    /// The vector of a text: a little of what all texts have in common, how many words it has of each meaning, and
    /// without any a direction of its own.
    fn vector(&self, text: &str) -> Vec<f32> {
        const OWN_DIRECTIONS: usize = 61;
        let text = text.to_lowercase();
        let meanings = self.meanings.borrow();
        let counts = meanings.iter().map(|words| {
            let count = words.iter().filter(|word| text.contains(**word)).count();
            count as f32
        });
        let mut vector: Vec<f32> = std::iter::once(0.3).chain(counts).collect();
        let has_meaning = vector.iter().any(|x| *x >= 1.0);
        let mut own = [0.0; OWN_DIRECTIONS];
        let hash = text.bytes().fold(7, |hash: usize, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        });
        own[hash % OWN_DIRECTIONS] = if has_meaning { 0.0 } else { 1.0 };
        vector.extend(own);
        vector
    }
}

/// Counts a request that is dropped before its end.
struct DropGuard(Option<Rc<Cell<usize>>>);

impl DropGuard {
    fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for DropGuard {
    fn drop(&mut self) {
        if let Some(dropped) = self.0.take() {
            dropped.set(dropped.get() + 1);
        }
    }
}

impl Vectors for Embedder {
    fn read(&self, model: String, chat: Id) -> LocalBoxFuture<'static, Vec<(Id, Vec<u8>)>> {
        let kept = self.kept.borrow();
        let of_chat = kept.1.iter();
        let of_chat = of_chat.filter(|((of, _), _)| *of == chat && kept.0 == model);
        let of_chat = of_chat.map(|((_, message), bytes)| (*message, bytes.clone()));
        let found = of_chat.collect();
        let slow = self.slow_reads.borrow_mut().pop_front();
        async move {
            if let Some(slow) = slow {
                slow.await.ok();
            }
            found
        }
        .boxed_local()
    }

    fn keep(
        &self,
        model: String,
        chat: Id,
        vectors: Vec<(Id, Vec<u8>)>,
    ) -> LocalBoxFuture<'static, ()> {
        let mut kept = self.kept.borrow_mut();
        if kept.0 != model {
            *kept = (model, BTreeMap::new());
        }
        let vectors = vectors.into_iter();
        kept.1
            .extend(vectors.map(|(message, bytes)| ((chat, message), bytes)));
        ready(()).boxed_local()
    }

    fn delete(&self, deleted: Vec<(Id, Option<Id>)>) -> LocalBoxFuture<'static, ()> {
        let is_deleted = |(chat, message): &(Id, Id)| {
            let mut deleted = deleted.iter();
            deleted.any(|(of, only)| of == chat && only.is_none_or(|only| only == *message))
        };
        self.kept.borrow_mut().1.retain(|key, _| !is_deleted(key));
        ready(()).boxed_local()
    }

    fn clear(&self) -> LocalBoxFuture<'static, ()> {
        *self.kept.borrow_mut() = Default::default();
        ready(()).boxed_local()
    }
}
