//! Hooks for what the rooms of the server do with prompts and answers of the kernel.

use crate::engine::Engine;
use crate::engines::ConfiguredEngine;
use crate::relay::Relay;
use axum::http::HeaderMap;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use sash_chat::AnswerId;
use sash_wire::{ChatRequest, Fault, ResumeRequest, StopRequest, Usage};
use serde_json::{Map, Value};
use std::fmt::{self, Debug};
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The rooms that want to hear of prompts and answers. Without any the server answers all the same.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    /// Who keeps the frames of answers.
    pub keeper: Option<Arc<dyn Keeper>>,
    /// Who follows prompts.
    pub watches: Vec<Arc<dyn PromptWatch>>,
    /// How many large bodies besides prompts are read at once.
    pub read_at_once: usize,
    /// What answers in the place of an engine.
    pub demo: Option<Arc<dyn BuiltIn>>,
    /// What the page is told besides the state of an engine.
    pub sayings: Vec<Saying>,
}

impl Hooks {
    /// What a caller with these headers is told.
    #[must_use]
    pub fn said_to(&self, headers: &HeaderMap) -> Map<String, Value> {
        let sayings = self.sayings.iter();
        let said =
            sayings.filter_map(|saying| Some((saying.name.to_owned(), (saying.say)(headers)?)));
        said.collect()
    }
}

/// What is said to a caller with these headers, if anything.
type Say = dyn Fn(&HeaderMap) -> Option<Value> + Send + Sync;

/// Something that the server says of itself with each state of an engine.
#[derive(Clone)]
pub struct Saying {
    name: &'static str,
    say: Arc<Say>,
}

impl Saying {
    /// Says what `say` returns for the headers of a caller, under the name by which the page asks for it
    /// ([`EngineState::says`](sash_wire::EngineState::says), [`EngineState::told`](sash_wire::EngineState::told)).
    #[must_use]
    pub fn new(
        name: &'static str,
        say: impl Fn(&HeaderMap) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        let say = Arc::new(say);
        Self { name, say }
    }
}

impl fmt::Debug for Saying {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An engine that is part of the program.
pub trait BuiltIn: Debug + Send + Sync {
    /// The engine, which is started at its first use.
    ///
    /// # Errors
    /// That it cannot be started.
    fn engine(&self) -> io::Result<ConfiguredEngine>;
}

/// Keeps the frames of answers that have an id, so that they outlive their page. Without a keeper each answer ends with its
/// connection.
pub trait Keeper: Debug + Send + Sync {
    /// Begins an answer with the stream that `opening` opens, and waits until it is open. A silent stream gets an empty line
    /// as often as `keep_alive` says. Returns the lines for the page, and whether they are kept.
    ///
    /// # Errors
    /// The fault of `opening`, and that the id cannot be taken.
    fn begin(
        self: Arc<Self>,
        id: AnswerId,
        client: IpAddr,
        keep_alive: Duration,
        opening: BoxFuture<'static, Result<Relay, Fault>>,
    ) -> BoxFuture<'static, Result<(BoxStream<'static, Bytes>, bool), Fault>>;

    /// The rest of an answer.
    ///
    /// # Errors
    /// [`Fault::UnknownAnswer`], [`Fault::AnswerStopped`], and [`Fault::InvalidField`] if the answer has fewer frames.
    fn resume(
        self: Arc<Self>,
        request: ResumeRequest,
        keep_alive: Duration,
    ) -> Result<BoxStream<'static, Bytes>, Fault>;

    /// Stops an answer and forgets its frames, also where its request has not arrived yet.
    fn stop(&self, client: IpAddr, request: StopRequest);

    /// Whether an answer is about to give its permit back, because nobody reads it.
    fn has_unread(&self) -> bool;

    /// A permit to generate, of so many. While there are answers that nobody reads it waits for theirs.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if somebody reads every answer.
    fn acquire<'a>(
        &'a self,
        permits: &'a Arc<Semaphore>,
        limit: usize,
    ) -> BoxFuture<'a, Result<OwnedSemaphorePermit, Fault>>;
}

/// Follows the prompts at the engines.
pub trait PromptWatch: Debug + Send + Sync {
    /// A prompt that is about to be sent.
    fn begin(
        self: Arc<Self>,
        engine: &Arc<dyn Engine>,
        request: &ChatRequest,
    ) -> Box<dyn WatchedPrompt>;

    /// Records how many milliseconds a model took to read so many tokens of a text that no answer follows.
    fn record_reading(&self, _model: &ModelPlace, _tokens: u64, _ms: f64) {}
}

/// A prompt that is followed until its answer has ended, which drops it.
pub trait WatchedPrompt: Send {
    /// Records that a line arrived.
    fn hear(&mut self) {}

    /// Records that text of the answer arrived.
    fn write(&mut self) {}

    /// Records the end of the answer.
    fn end(&mut self, _usage: &Usage) {}
}

/// A model of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelPlace {
    /// The engine's name.
    pub engine: String,
    /// The model's name.
    pub model: String,
}
