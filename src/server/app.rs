//! The state shared by all requests: the upstreams, the limits, and the stop signal. It holds nothing of any
//! conversation: any instance can answer any request.

use crate::server::config::Settings;
use crate::server::demo_upstream::Demo;
use crate::server::extract::Extractor;
use crate::server::highlight::Highlighter;
use crate::server::limits::{Limits, StreamTimeouts};
use crate::server::ollama::Ollama;
use crate::server::ollama::reply::Details;
use crate::server::opening_cache::OpeningCache;
use crate::server::pending_bodies::PendingBodies;
use crate::server::stop::StopSignal;
use sash_wire::{Fault, ModelName, Upstream};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

/// The cache of details is cleared when it reaches this many models.
const MAX_CACHED_DETAILS: usize = 1000;

/// How long to wait for the permit of a request that was evicted.
const PERMIT_WAIT: Duration = Duration::from_millis(500);

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
    pub highlighter: Highlighter,
    /// The reader of documents.
    pub extractor: Extractor,
    /// Registries besides Ollama's own that models may be pulled from.
    pub allow_registry: Vec<String>,
    ollama: Ollama,
    demo_only: bool,
    demo: OnceCell<Demo>,
    generations: Arc<Semaphore>,
    pulls: Arc<Semaphore>,
    details: Mutex<HashMap<String, Details>>,
    /// Which models begin their answers as thinking.
    pub openings: OpeningCache,
}

impl App {
    /// The shared state of a server with these settings.
    ///
    /// # Errors
    /// If the HTTP client cannot be set up.
    pub fn new(settings: &Settings, stop: StopSignal) -> Result<Self, reqwest::Error> {
        Ok(Self {
            limits: settings.limits.clone(),
            pending_bodies: PendingBodies::new(settings.limits.bodies),
            highlighter: Highlighter::new(settings.limits.highlighting.clone()),
            extractor: Extractor::new(settings.limits.extraction.clone()),
            stop,
            allow_registry: settings.allow_registry.clone(),
            ollama: Ollama::new(settings.ollama.clone())?,
            demo_only: settings.demo,
            demo: OnceCell::new(),
            generations: Arc::new(Semaphore::new(settings.limits.generations)),
            pulls: Arc::new(Semaphore::new(settings.limits.pulls)),
            details: Mutex::default(),
            openings: OpeningCache::default(),
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

    /// The client of an upstream. The demo is started at its first use.
    ///
    /// # Errors
    /// [`Fault::Internal`] if the demo cannot be started.
    pub async fn upstream(&self, wanted: Upstream) -> Result<Ollama, Fault> {
        match self.resolve(wanted) {
            Upstream::Ollama => Ok(self.ollama.clone()),
            Upstream::Demo => {
                let demo = self.demo.get_or_try_init(async || Demo::start()).await;
                demo.map(|demo| demo.client().clone()).map_err(|error| {
                    tracing::error!(%error, "the demo did not start");
                    Fault::Internal
                })
            }
        }
    }

    /// The client of an upstream for a request about one model, after its name was checked. A name with a
    /// registry of its own that is not on the list is used only if the model is installed already.
    ///
    /// # Errors
    /// [`Fault::InvalidModelName`], [`Fault::ModelNotFound`], and those of [`Self::upstream`].
    pub async fn upstream_of(&self, wanted: Upstream, model: &str) -> Result<Ollama, Fault> {
        let name = ModelName::parse(model)?;
        let ollama = self.upstream(wanted).await?;
        if name.foreign_host(&self.allow_registry).is_some() {
            ollama.require_listed(model).await?;
        }
        Ok(ollama)
    }

    /// A permit to generate. It is acquired before the body of a prompt is read, so that no more large bodies are in
    /// memory than there may be answers; a request whose body stalls loses its permit to the next one.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] at the limit.
    pub async fn acquire_generation(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let refused = match try_acquire(&self.generations, self.limits.generations) {
            Err(refused) if self.pending_bodies.evict_stalled() => refused,
            other => return other,
        };
        let freed = Arc::clone(&self.generations).acquire_owned();
        let freed = tokio::time::timeout(PERMIT_WAIT, freed).await;
        freed.ok().and_then(Result::ok).ok_or(refused)
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

    /// Cached details of a model. A digest identifies one content, so they never expire.
    #[must_use]
    pub fn known_details(&self, digest: &str) -> Option<Details> {
        let details = self.details.lock().unwrap_or_else(PoisonError::into_inner);
        details.get(digest).cloned()
    }

    /// Caches the details of a model.
    pub fn remember_details(&self, digest: String, known: Details) {
        if digest.is_empty() {
            return;
        }
        let mut details = self.details.lock().unwrap_or_else(PoisonError::into_inner);
        if details.len() >= MAX_CACHED_DETAILS {
            details.clear();
        }
        details.insert(digest, known);
    }
}

fn try_acquire(semaphore: &Arc<Semaphore>, limit: usize) -> Result<OwnedSemaphorePermit, Fault> {
    let permit = Arc::clone(semaphore).try_acquire_owned();
    permit.map_err(|_| Fault::TooManyAnswers { limit })
}
