//! The engine, as Sash needs it: one trait, implemented by [`ollama`](super::ollama) and
//! [`openai`](super::openai), and what both implementations share: the address, the HTTP client, the faults, and the
//! reading of what real engines send.

mod address;
pub mod call_ids;
mod chat_line;
mod config;
pub mod error_words;
pub mod html;
pub mod http;
pub mod joiner;
mod key;
mod label;
mod loopback_port;
mod lossy;
pub mod parts;
pub mod reader;
pub mod template;
pub mod thinking;
pub mod tokenizer;
mod unread;

pub use address::{Address, AddressError};
pub use chat_line::{ChatLine, ChatParser};
pub use config::{EngineConfig, EngineProtocol, is_engine_name};
pub use key::ApiKey;
pub use label::EngineLabel;
pub use unread::{UnreadParts, excerpt};

use futures::FutureExt;
use futures::future::BoxFuture;
use sash_wire::{
    ChatRequest, CountedPrompt, EngineAction, EngineInfo, EngineReach, Fault, LoadedModel,
    LoadingModel, ModelInfo,
};
use std::fmt;

/// The result of a call, later.
pub type Later<'a, T> = BoxFuture<'a, Result<T, Fault>>;

/// An engine: a server that has models and answers prompts. What not every engine can do is not here; the server finds who
/// can among its engines ([`ModelManager`](super::engines::ModelManager)).
pub trait Engine: fmt::Debug + Send + Sync {
    /// How the faults of this engine name it.
    fn label(&self) -> &EngineLabel;

    /// What the page is told of it.
    fn info(&self) -> &EngineInfo;

    /// Asks the engine what it is, unless it has told since this server was started: what it can do, and how it is asked,
    /// depend on it. One that does not tell is taken for one that can do nothing more.
    fn find_kind(&self) -> BoxFuture<'_, ()> {
        futures::future::ready(()).boxed()
    }

    /// How it is reached: what it was when it was last asked, and what listens at its port now.
    fn reach(&self) -> BoxFuture<'_, EngineReach>;

    /// How it is reached, after it was asked what it is. Something else may have taken its port since it was asked last.
    fn find_reach(&self) -> Later<'_, EngineReach> {
        self.reach().map(Ok).boxed()
    }

    /// Whether it passes the requests of a model on to a cloud. It is asked each time: another model may have taken the
    /// name.
    fn is_cloud<'a>(&'a self, model: &'a str) -> Later<'a, bool>;

    /// What it can do besides listing its models and answering, as far as is known now.
    fn actions(&self) -> Vec<EngineAction> {
        self.info().can.clone()
    }

    /// Checks the name of a model before anything is sent about it.
    fn check_model<'a>(&'a self, model: &'a str, allow_registry: &'a [String]) -> Later<'a, ()>;

    /// Builds a request for an answer. Nothing is sent before [`ChatCall::opening`] is polled.
    ///
    /// # Errors
    /// The fault of a field that this engine does not take.
    fn chat(&self, request: &ChatRequest) -> Result<ChatCall, Fault>;

    /// Ends the thinking of an answer that runs, so that the answer itself begins; an answer that has ended is none.
    /// `_id` is the engine's own for it.
    ///
    /// # Errors
    /// [`Fault::NotOffered`] if the engine has nothing like it.
    fn end_thinking<'a>(&'a self, _model: &'a str, _id: &'a str) -> Later<'a, ()> {
        let fault = Fault::NotOffered {
            engine: self.info().name.clone(),
            action: EngineAction::EndThinking,
        };
        Box::pin(std::future::ready(Err(fault)))
    }

    /// Builds a request that has a model read a prompt and write nothing, or as little as the engine lets. Besides that it
    /// equals the request for an answer.
    ///
    /// # Errors
    /// As [`Engine::chat`].
    fn read(&self, request: &ChatRequest) -> Result<ChatCall, Fault>;

    /// Whether the model of a request is in memory as the request wants it, and stays there.
    fn presence<'a>(&'a self, request: &'a ChatRequest) -> Later<'a, ModelPresence>;

    /// What the slots of a model do now; `None` of an engine that does not tell it.
    fn slots<'a>(&'a self, _model: &'a str) -> Later<'a, Option<ModelSlots>> {
        futures::future::ready(Ok(None)).boxed()
    }

    /// All models, in the engine's order.
    fn models(&self) -> Later<'_, Vec<ModelInfo>>;

    /// The exact number of tokens of a request, where the engine counts without reading.
    ///
    /// # Errors
    /// [`Fault::NotOffered`] where it does not.
    fn count<'a>(&'a self, _request: &'a ChatRequest) -> Later<'a, CountedPrompt> {
        let fault = not_offered(self.info(), EngineAction::Count);
        futures::future::ready(Err(fault)).boxed()
    }

    /// Whether the engine answers, in a few seconds.
    fn status(&self) -> Later<'_, EngineStatus>;
}

/// The fault of an engine that cannot do something.
#[must_use]
pub fn not_offered(info: &EngineInfo, action: EngineAction) -> Fault {
    Fault::NotOffered {
        engine: info.name.clone(),
        action,
    }
}

/// Whether a model is in memory, so that a prompt can be read by it without loading anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPresence {
    /// It is, and stays, with a context of so many tokens, if the engine tells it.
    Stays(Option<u64>),
    /// It is, and leaves within seconds.
    Leaves,
    /// It is not.
    Absent,
}

/// What the slots of a model do: each takes one prompt, and further prompts wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelSlots {
    /// Those that take the next prompt.
    pub idle: usize,
    /// Those that read a prompt.
    pub reading: usize,
    /// Those that write an answer.
    pub writing: usize,
}

/// What an engine that answers says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineStatus {
    /// Its version, if it tells one.
    pub version: Option<String>,
    /// The models in memory, if it tells them.
    pub loaded: Vec<LoadedModel>,
    /// The models on their way there, if it tells them.
    pub loading: Vec<LoadingModel>,
}

/// A request for an answer.
pub struct ChatCall {
    /// Sends the request and returns the response once its headers are there. Dropping it ends the request.
    pub opening: PendingResponse,
    /// Parses the lines of the response.
    pub parser: Box<dyn ChatParser>,
}

/// An upstream request that is not answered yet.
pub type PendingResponse = BoxFuture<'static, Result<reqwest::Response, Fault>>;
