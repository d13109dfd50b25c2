//! The state shared by all requests: the engines, the limits, and the stop signal. It holds nothing of conversations: any
//! instance can answer any request.

use crate::caller::CallerRules;
use crate::config::ServerConfig;
use crate::engine::Engine;
use crate::engines::{ConfiguredEngine, Engines, ModelManager};
use crate::hooks::Hooks;
use crate::limits::{Limits, StreamTimeouts};
use crate::unsent_budget::UnsentBudget;
use sash_door::pending_bodies::PendingBodies;
use sash_door::stop::StopSignal;
use sash_wire::{EngineAction, Fault, Upstream};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Shared by all requests.
#[derive(Debug)]
pub struct App {
    /// The limits.
    pub limits: Limits,
    /// The stop signal.
    pub stop: StopSignal,
    /// Bodies that are being received.
    pub pending_bodies: Arc<PendingBodies>,
    /// Registries besides Ollama's own that models may be pulled from.
    pub allow_registry: Vec<String>,
    /// The engines of the configuration.
    pub engines: Engines,
    /// Who counts as a caller on this machine.
    pub caller_rules: CallerRules,
    /// What requests with what was not sent may take.
    pub unsent: UnsentBudget,
    /// What the rooms do with prompts and answers.
    pub hooks: Hooks,
    demo_only: bool,
    generations: Arc<Semaphore>,
}

impl App {
    /// The shared state of a server with these settings.
    ///
    /// # Errors
    /// If the HTTP client cannot be set up.
    pub fn new(
        settings: &ServerConfig,
        stop: StopSignal,
        hooks: Hooks,
    ) -> Result<Self, reqwest::Error> {
        Ok(Self {
            limits: settings.limits.clone(),
            pending_bodies: PendingBodies::new(
                settings.limits.bodies,
                settings.limits.pending_large_bytes(hooks.read_at_once),
                settings.limits.kept_bytes,
                settings.limits.unsent_bytes(),
            ),
            stop,
            allow_registry: settings.allow_registry.clone(),
            engines: Engines::new(&settings.engine, &settings.more_engines)?,
            caller_rules: CallerRules::new(settings),
            unsent: UnsentBudget::new(settings.limits.unsent, settings.limits.unsent_bytes()),
            hooks,
            demo_only: settings.demo,
            generations: Arc::new(Semaphore::new(settings.limits.generations)),
        })
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
            Upstream::Configured => self.engines.get(name).cloned(),
            Upstream::Demo => {
                let demo = self.hooks.demo.as_ref();
                let demo = demo.ok_or_else(|| Fault::UnknownEngine {
                    engine: "demo".to_owned(),
                })?;
                demo.engine().map_err(|error| {
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

    /// A permit to generate. It is acquired once the body of a prompt is there, so that nobody holds one by sending
    /// slowly. Where none is free the keeper waits for the answers that nobody reads, which give way within seconds.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if all permits are those of answers that somebody reads, and [`Fault::ServerStopping`].
    pub async fn acquire_generation(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let acquired = async {
            match &self.hooks.keeper {
                Some(keeper) => {
                    let limit = self.limits.generations;
                    keeper.acquire(&self.generations, limit).await
                }
                None => self.try_acquire_generation(),
            }
        };
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            () = stop.wait() => Err(Fault::ServerStopping),
            permit = acquired => permit,
        }
    }

    /// A permit to generate, if one is free.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub fn try_acquire_generation(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let limit = self.limits.generations;
        let permit = Arc::clone(&self.generations).try_acquire_owned();
        permit.map_err(|_| Fault::TooManyAnswers { limit })
    }

    /// Refuses a prompt before its body is read if no permit to generate is free and none is about to be.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub fn check_generation(&self) -> Result<(), Fault> {
        match &self.hooks.keeper {
            Some(keeper) if keeper.has_unread() => Ok(()),
            _ => self.try_acquire_generation().map(drop),
        }
    }

    /// How long the streams of an answer may be silent.
    #[must_use]
    pub fn stream_timeouts(&self) -> StreamTimeouts {
        self.limits.patience
    }
}
