//! The state shared by all requests: the engines, the limits, and the stop signal. Of conversations it holds the
//! answers that are written and those that have just ended, and nothing else: any instance can answer any request.

use crate::server::backup::Backup;
use crate::server::calculate::Calculator;
use crate::server::caller::CallerRules;
use crate::server::config::ServerConfig;
use crate::server::demo_upstream::Demo;
use crate::server::engine::Engine;
use crate::server::engines::{ConfiguredEngine, Engines, ModelManager};
use crate::server::extract::Extractor;
use crate::server::highlight::CodeHighlighter;
use crate::server::limits::{Limits, StreamTimeouts};
use crate::server::linger::{self, KeptAnswers};
use crate::server::ollama::Ollama;
use crate::server::one_time_codes::OneTimeCodes;
use crate::server::read_turns::ReadTurns;
use crate::server::unsent_budget::UnsentBudget;
use sash_door::pending_bodies::PendingBodies;
use sash_door::stop::StopSignal;
use sash_wire::{BackupFault, BackupKey, EngineAction, Fault, Upstream};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

/// Shared by all requests.
#[derive(Debug)]
pub struct App {
    /// The limits.
    pub limits: Limits,
    /// The stop signal.
    pub stop: StopSignal,
    /// Bodies that are being received.
    pub pending_bodies: Arc<PendingBodies>,
    /// The syntax highlighter.
    pub highlighter: CodeHighlighter,
    /// The reader of documents.
    pub extractor: Extractor,
    /// The tool that calculates.
    pub calculator: Calculator,
    /// Registries besides Ollama's own that models may be pulled from.
    pub allow_registry: Vec<String>,
    /// The engines of the configuration.
    pub engines: Engines,
    /// The answers of pages, which go on without them for a while.
    pub answers: Arc<KeptAnswers>,
    /// The address that Sash listens on.
    pub address: SocketAddr,
    /// Who counts as a caller on this machine.
    pub caller_rules: CallerRules,
    /// Whether models read prompts ahead.
    pub reads_ahead: bool,
    /// The turns of prompts, and of what is read ahead.
    pub reads: ReadTurns,
    /// What requests with what was not sent may take.
    pub unsent: UnsentBudget,
    /// The backup, with `--backup`.
    pub backup: Option<Arc<Backup>>,
    /// The codes of addresses, if a page needs anything that they give.
    pub codes: Option<Arc<OneTimeCodes>>,
    demo_only: bool,
    demo: OnceCell<Demo>,
    generations: Arc<Semaphore>,
    pulls: Arc<Semaphore>,
}

impl App {
    /// The shared state of a server with these settings.
    ///
    /// # Errors
    /// If the HTTP client cannot be set up.
    pub fn new(settings: &ServerConfig, stop: StopSignal) -> Result<Self, reqwest::Error> {
        Ok(Self {
            limits: settings.limits.clone(),
            pending_bodies: PendingBodies::new(
                settings.limits.bodies,
                settings.limits.pending_large_bytes(),
                settings.limits.unsent_bytes(),
            ),
            highlighter: CodeHighlighter::new(settings.limits.highlighting.clone()),
            extractor: Extractor::new(settings.limits.extraction.clone()),
            calculator: Calculator::new(settings.limits.calculation.clone()),
            stop,
            allow_registry: settings.allow_registry.clone(),
            engines: Engines::new(&settings.engine, &settings.more_engines)?,
            answers: Arc::new(KeptAnswers::new(settings.limits.linger)),
            address: settings.listen,
            caller_rules: CallerRules::new(settings),
            reads_ahead: settings.reads_ahead,
            reads: ReadTurns::new(settings.limits.reads),
            unsent: UnsentBudget::new(settings.limits.unsent, settings.limits.unsent_bytes()),
            backup: None,
            codes: None,
            demo_only: settings.demo,
            demo: OnceCell::new(),
            generations: Arc::new(Semaphore::new(settings.limits.generations)),
            pulls: Arc::new(Semaphore::new(settings.limits.pulls)),
        })
    }

    /// Listens on this address: that of the configuration may leave the port to the system.
    #[must_use]
    pub fn at(self, address: SocketAddr) -> Self {
        Self { address, ..self }
    }

    /// Keeps a backup.
    #[must_use]
    pub fn with_backup(self, backup: Option<Arc<Backup>>) -> Self {
        Self { backup, ..self }
    }

    /// Takes these codes.
    #[must_use]
    pub fn with_codes(self, codes: Option<Arc<OneTimeCodes>>) -> Self {
        Self { codes, ..self }
    }

    /// The backup, for a client that knows its key.
    ///
    /// # Errors
    /// [`BackupFault::Off`], and those of [`Backup::check_key`].
    pub fn backup_of(&self, key: &BackupKey, client: IpAddr) -> Result<Arc<Backup>, Fault> {
        let backup = self.backup.as_ref().ok_or(BackupFault::Off)?;
        backup.check_key(key, client)?;
        Ok(Arc::clone(backup))
    }

    /// The upstream to use: the requested one, but always the demo with `--demo`.
    #[must_use]
    pub fn resolve(&self, wanted: Upstream) -> Upstream {
        if self.demo_only {
            Upstream::Demo
        } else {
            wanted
        }
    }

    /// An engine by its name, the first one without a name; or the demo, which is started at its first use and is the
    /// only engine then.
    ///
    /// # Errors
    /// [`Fault::UnknownEngine`], and [`Fault::Internal`] if the demo cannot be started.
    pub async fn engine(
        &self,
        wanted: Upstream,
        name: Option<&str>,
    ) -> Result<ConfiguredEngine, Fault> {
        match self.resolve(wanted) {
            Upstream::Ollama => self.engines.get(name).cloned(),
            Upstream::Demo => {
                let demo = self.demo.get_or_try_init(async || Demo::start()).await;
                demo.map(|demo| demo.engine().clone()).map_err(|error| {
                    tracing::error!(%error, "the demo did not start");
                    Fault::Internal
                })
            }
        }
    }

    /// The engine for a prompt to one model, after the model's name was checked.
    ///
    /// # Errors
    /// [`Fault::MissingField`] without a name, those of [`Self::engine`], and the engine's own for the name.
    pub async fn engine_of(
        &self,
        wanted: Upstream,
        name: Option<&str>,
        model: &str,
    ) -> Result<Arc<dyn Engine>, Fault> {
        if model.trim().is_empty() {
            let field = "model".to_owned();
            return Err(Fault::MissingField { field });
        }
        let engine = self.engine(wanted, name).await?.engine;
        engine.check_model(model, &self.allow_registry).await?;
        engine.find_kind().await;
        Ok(engine)
    }

    /// The Ollama for what only Ollama can do.
    ///
    /// # Errors
    /// Those of [`Self::engine`], and [`Fault::NotOffered`] for another engine.
    pub async fn ollama(
        &self,
        wanted: Upstream,
        name: Option<&str>,
        action: EngineAction,
    ) -> Result<Ollama, Fault> {
        self.engine(wanted, name).await?.ollama(action).await
    }

    /// Who does something with one model that not every engine can do, after the model's name was checked.
    ///
    /// # Errors
    /// Those of [`Self::engine_of`], and [`Fault::NotOffered`] for an engine that cannot do it.
    pub async fn manager_of(
        &self,
        wanted: Upstream,
        name: Option<&str>,
        model: &str,
        action: EngineAction,
    ) -> Result<ModelManager, Fault> {
        let engine = self.engine(wanted, name).await?;
        let manager = engine.manager(action).await?;
        self.engine_of(wanted, name, model).await?;
        Ok(manager)
    }

    /// The Ollama for something that only Ollama can do with one model, after the model's name was checked.
    ///
    /// # Errors
    /// Those of [`Self::ollama`] and [`Self::engine_of`].
    pub async fn ollama_of(
        &self,
        wanted: Upstream,
        name: Option<&str>,
        model: &str,
        action: EngineAction,
    ) -> Result<Ollama, Fault> {
        let ollama = self.ollama(wanted, name, action).await?;
        self.engine_of(wanted, name, model).await?;
        Ok(ollama)
    }

    /// A permit to generate. It is acquired once the body of a prompt is there, so that nobody holds one by sending
    /// slowly. Where none is free it waits for the answers that nobody reads, which give way within seconds.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if all permits are those of answers that somebody reads, and [`Fault::ServerStopping`].
    pub async fn acquire_generation(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            () = stop.wait() => Err(Fault::ServerStopping),
            permit = linger::acquire(&self.answers, &self.generations, self.limits.generations) => permit,
        }
    }

    /// A permit to generate, if one is free.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub fn try_acquire_generation(&self) -> Result<OwnedSemaphorePermit, Fault> {
        try_acquire(&self.generations, self.limits.generations)
    }

    /// Refuses a prompt before its body is read if no permit to generate is free and none is about to be.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub fn check_generation(&self) -> Result<(), Fault> {
        match self.answers.has_unread() {
            true => Ok(()),
            false => self.try_acquire_generation().map(drop),
        }
    }

    /// A permit to pull.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub fn acquire_pull(&self) -> Result<OwnedSemaphorePermit, Fault> {
        try_acquire(&self.pulls, self.limits.pulls)
    }

    /// How long the streams of an answer may be silent.
    #[must_use]
    pub fn stream_timeouts(&self) -> StreamTimeouts {
        self.limits.patience
    }
}

fn try_acquire(semaphore: &Arc<Semaphore>, limit: usize) -> Result<OwnedSemaphorePermit, Fault> {
    let permit = Arc::clone(semaphore).try_acquire_owned();
    permit.map_err(|_| Fault::TooManyAnswers { limit })
}
