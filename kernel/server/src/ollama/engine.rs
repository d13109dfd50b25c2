//! An Ollama as an engine.

use super::body;
use super::chat_lines::ChatLines;
use super::client::Ollama;
use super::model_facts::ModelFacts;
use super::refusal::OllamaRequestContext;
use super::reply::{ShowDetails, is_cloud_name, items, listed_model, loaded, text};
use crate::engine::{
    ChatCall, ChatLine, ChatParser, Engine, EngineLabel, EngineStatus, Later, ModelPresence,
};
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use sash_wire::{
    ChatRequest, EngineAction, EngineInfo, EngineKind, EngineReach, Fault, LEAST_OLLAMA,
    LoadedModel, ModelInfo, ModelName, NUM_CTX, is_old_ollama, short_name,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// How many requests for details run at once.
const CONCURRENT_DETAILS: usize = 8;
/// Time limit for the check that Ollama answers.
const LOOK_TIME: Duration = Duration::from_secs(5);
/// Time limit for the details of a model, which are requested beside the answer.
const DETAILS_TIME: Duration = Duration::from_secs(5);
/// A model that leaves within this time is not had read anything: its time in memory would begin anew.
const LEAST_STAY: Duration = Duration::from_secs(20);
/// The cache of details is cleared when it reaches this many models.
const MAX_CACHED_DETAILS: usize = 1000;

/// An Ollama, and what is known of its models. A clone is the same engine.
#[derive(Clone, Debug)]
pub struct OllamaEngine {
    client: Ollama,
    info: EngineInfo,
    known: Arc<KnownModels>,
}

/// What is known of the models of an Ollama.
#[derive(Debug, Default)]
struct KnownModels {
    /// Details by digest. A digest identifies one content, so they never expire.
    details: Mutex<HashMap<String, ShowDetails>>,
    /// Which models begin their answers as thinking.
    openings: ModelFacts,
    /// Set once Ollama has said its version.
    version: OnceLock<String>,
    /// Whether an answer has asked for the version, and the request has not failed.
    version_asked: AtomicBool,
}

impl OllamaEngine {
    /// The Ollama of this client, by its name in the configuration.
    #[must_use]
    pub fn new(name: &str, client: Ollama) -> Self {
        let info = EngineInfo {
            name: name.to_owned(),
            kind: EngineKind::Ollama,
            can: EngineAction::OLLAMA.to_vec(),
            parameters: None,
            // It depends on what listens at its port.
            reach: EngineReach::Unknown,
            address_digest: client.address().digest(name),
        };
        Self {
            client,
            info,
            known: Arc::default(),
        }
    }

    /// The same engine, which does not offer this.
    #[must_use]
    pub fn without(mut self, action: EngineAction) -> Self {
        self.info.can.retain(|offered| *offered != action);
        self
    }

    /// The client, for what only Ollama can do.
    #[must_use]
    pub fn client(&self) -> &Ollama {
        &self.client
    }

    /// Capabilities in `/api/tags` are unreliable, so the details of each model are requested once, and again when its
    /// digest changes. A model whose details are unavailable is listed without them.
    async fn complete(&self, model: ModelInfo, digest: String) -> ModelInfo {
        let details = match self.details(&model.name, digest).await {
            Ok(details) => details,
            Err(fault) => {
                tracing::info!(status = fault.status(), "no details of a model");
                return model;
            }
        };
        let details = ShowDetails {
            remote: model.remote || details.remote,
            ..details
        };
        self.remember_facts(&model.name, &details);
        ModelInfo {
            think: details.think,
            parameters: details.parameters,
            tokenizer: details.tokenizer,
            context_length: details.context_length.or(model.context_length),
            capabilities: if details.capabilities.is_empty() {
                model.capabilities
            } else {
                details.capabilities
            },
            remote: details.remote,
            ..model
        }
    }

    /// Whether the model's chat template opens the thinking. The list of models says so; the details are requested here
    /// only if this server has not listed the model of late. Unknown is no.
    async fn opens_thinking(&self, model: &str) -> bool {
        let address = self.client.address().base();
        if let Some(opens) = self.known.openings.get(address, model) {
            return opens;
        }
        let show = tokio::time::timeout(DETAILS_TIME, self.client.show(model)).await;
        let Ok(Ok(show)) = show else {
            return false;
        };
        let details = ShowDetails::read(&show);
        self.remember_facts(model, &details);
        details.opens_thinking
    }

    /// Asks for the version beside the first answer, and logs one that cuts what does not fit: the page says it too, but a
    /// client of the API or of MCP has no page. It is a task of its own: an answer that waited for it would be late where
    /// Ollama does not say its version. One that does not come in time is asked for at the next answer.
    fn check_version(&self) {
        if self.known.version.get().is_some()
            || self.known.version_asked.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let engine = self.clone();
        tokio::spawn(async move {
            match engine.client.get("/api/version", DETAILS_TIME).await {
                Ok(reply) => engine.record_version(text(&reply, "version")),
                Err(_) => engine.known.version_asked.store(false, Ordering::Relaxed),
            }
        });
    }

    fn record_version(&self, version: String) {
        let is_news = self.known.version.set(version.clone()).is_ok();
        if is_news && is_old_ollama(&version) {
            let address = self.client.address().base();
            tracing::warn!(
                "Ollama at {address} is version {version}. Sash needs {LEAST_OLLAMA} or later: older ones cut prompts that are too long without saying so."
            );
        }
    }

    /// Whether a model runs in Ollama's cloud, by its name, by the list, or by its details, which are requested once for
    /// each digest. The list is requested each time, so that a name that another model has taken, and a server that is no
    /// Ollama any more, are found out before they get a text.
    async fn find_cloud(&self, model: &str) -> Result<bool, Fault> {
        if is_cloud_name(model) {
            return Ok(true);
        }
        let tags = self.client.tags().await?;
        let wanted = short_name(model).to_ascii_lowercase();
        let mut listed = items(&tags, "models").filter_map(listed_model);
        let listed =
            listed.find(|(known, _)| short_name(&known.name).to_ascii_lowercase() == wanted);
        Ok(match listed {
            Some((known, _)) if known.remote => true,
            Some((_, digest)) => self.details(model, digest).await?.remote,
            // Ollama knows a model by longer spellings of its name, too.
            None => ShowDetails::read(&self.client.show(model).await?).remote,
        })
    }

    /// The details of the model of this name, whose digest this is.
    async fn details(&self, model: &str, digest: String) -> Result<ShowDetails, Fault> {
        if let Some(details) = self.cached_details(&digest) {
            return Ok(details);
        }
        let details = ShowDetails::read(&self.client.show(model).await?);
        self.remember_details(digest, details.clone());
        Ok(details)
    }

    fn remember_facts(&self, model: &str, details: &ShowDetails) {
        let address = self.client.address().base();
        let openings = &self.known.openings;
        openings.insert(address, model, details.opens_thinking);
    }

    fn cached_details(&self, digest: &str) -> Option<ShowDetails> {
        let details = &self.known.details;
        let details = details.lock().unwrap_or_else(PoisonError::into_inner);
        details.get(digest).cloned()
    }

    fn remember_details(&self, digest: String, known: ShowDetails) {
        if digest.is_empty() {
            return;
        }
        let details = &self.known.details;
        let mut details = details.lock().unwrap_or_else(PoisonError::into_inner);
        if details.len() >= MAX_CACHED_DETAILS {
            details.clear();
        }
        details.insert(digest, known);
    }
}

impl Engine for OllamaEngine {
    fn label(&self) -> &EngineLabel {
        self.client.label()
    }

    fn info(&self) -> &EngineInfo {
        &self.info
    }

    fn reach(&self) -> BoxFuture<'_, EngineReach> {
        self.client.reach().boxed()
    }

    fn is_cloud<'a>(&'a self, model: &'a str) -> Later<'a, bool> {
        self.find_cloud(model).boxed()
    }

    /// A name with a registry of its own that is not on the list is used only if the model is installed already.
    fn check_model<'a>(&'a self, model: &'a str, allow_registry: &'a [String]) -> Later<'a, ()> {
        async move {
            let name = ModelName::parse(model)?;
            match name.foreign_host(allow_registry) {
                Some(_) => self.client.require_listed(model).await,
                None => Ok(()),
            }
        }
        .boxed()
    }

    fn chat(&self, request: &ChatRequest) -> Result<ChatCall, Fault> {
        let body = body::chat(request).map_err(|error| body::unserializable(&error))?;
        let template_opens = Arc::new(OnceLock::new());
        let address = self.client.address().base();
        let parser = OllamaParser::new(&request.model, address, Arc::clone(&template_opens));
        let (engine, model) = (self.clone(), request.model.clone());
        let opening = async move {
            engine.check_version();
            // A refusal is returned at once; a first token waits for the details.
            let (response, opens) = futures::try_join!(
                engine.client.stream("/api/chat", &body, &model),
                engine.opens_thinking(&model).map(Ok)
            )?;
            template_opens.get_or_init(|| opens);
            Ok(response)
        };
        Ok(ChatCall {
            opening: opening.boxed(),
            parser: Box::new(parser),
        })
    }

    /// One token is written: 0 means unlimited on one of Ollama's two code paths.
    fn read(&self, request: &ChatRequest) -> Result<ChatCall, Fault> {
        let mut request = request.clone();
        let options = request.options.get_or_insert_default();
        options.insert("num_predict".to_owned(), Value::from(1));
        self.chat(&request)
    }

    fn presence<'a>(&'a self, request: &'a ChatRequest) -> Later<'a, ModelPresence> {
        async move {
            let running = self.client.get("/api/ps", LOOK_TIME).await?;
            let name = short_name(&request.model).to_ascii_lowercase();
            let mut loaded = loaded(&running).into_iter();
            let found = loaded.find(|other| short_name(&other.name).to_ascii_lowercase() == name);
            Ok(found.map_or(ModelPresence::Absent, |found| presence(&found, request)))
        }
        .boxed()
    }

    fn models(&self) -> Later<'_, Vec<ModelInfo>> {
        async move {
            let tags = self.client.tags().await?;
            let listed: Vec<_> = items(&tags, "models").filter_map(listed_model).collect();
            let completed = stream::iter(listed)
                .map(|(model, digest)| self.complete(model, digest))
                .buffered(CONCURRENT_DETAILS);
            Ok(completed.collect().await)
        }
        .boxed()
    }

    fn status(&self) -> Later<'_, EngineStatus> {
        async move {
            let (version, running) = tokio::join!(
                self.client.get("/api/version", LOOK_TIME),
                self.client.get("/api/ps", LOOK_TIME)
            );
            let version = Some(text(&version?, "version")).filter(|version| !version.is_empty());
            if let Some(version) = &version {
                self.record_version(version.clone());
            }
            Ok(EngineStatus {
                version,
                loaded: running.as_ref().map(loaded).unwrap_or_default(),
                ..EngineStatus::default()
            })
        }
        .boxed()
    }
}

/// Whether a model in memory stays there. With another context length it would be loaded anew. A time that cannot be
/// read says nothing.
fn presence(model: &LoadedModel, request: &ChatRequest) -> ModelPresence {
    let options = request.options.as_ref();
    let wanted = options.and_then(|options| options.get(NUM_CTX)?.as_u64());
    if wanted.is_some_and(|wanted| model.context_length.is_some_and(|given| given != wanted)) {
        return ModelPresence::Absent;
    }
    let until = OffsetDateTime::parse(&model.expires_at, &Rfc3339);
    match until {
        Ok(until) if until < OffsetDateTime::now_utc() + LEAST_STAY => ModelPresence::Leaves,
        _ => ModelPresence::Stays(model.context_length),
    }
}

/// Parses the lines of `/api/chat`.
pub struct OllamaParser {
    /// The model's name as the page gave it.
    model: String,
    /// The address that was asked.
    address: String,
    /// Whether the model's chat template opens the thinking; set before the first line.
    template_opens: Arc<OnceLock<bool>>,
    lines: ChatLines,
}

impl OllamaParser {
    /// A parser for the answer of this model at this address. `template_opens` is set before the first line.
    #[must_use]
    pub fn new(model: &str, address: &str, template_opens: Arc<OnceLock<bool>>) -> Self {
        Self {
            model: model.to_owned(),
            address: address.to_owned(),
            template_opens,
            lines: ChatLines::default(),
        }
    }
}

impl ChatParser for OllamaParser {
    fn parse(&mut self, bytes: &[u8]) -> Result<Option<ChatLine>, Fault> {
        let asked = OllamaRequestContext {
            model: &self.model,
            address: &self.address,
        };
        self.lines.parse(bytes, &asked)
    }

    fn finish(&mut self, fault: Fault) -> ChatLine {
        self.lines.finish(fault)
    }

    fn begins_as_thinking(&self) -> bool {
        self.template_opens.get() == Some(&true)
    }
}
