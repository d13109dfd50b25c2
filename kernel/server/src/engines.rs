//! The engines of the configuration, by name.

use crate::engine::{Engine, EngineConfig, EngineProtocol, not_offered};
use crate::ollama::{Ollama, OllamaEngine};
use crate::openai::OpenAi;
use sash_wire::{EngineAction, EngineInfo, Fault};
use std::sync::Arc;
use std::time::Duration;

/// How long an engine may take to say what it is while the page waits for the state of all.
const KIND_TIME: Duration = Duration::from_millis(500);

/// The engines, in the order of the configuration. There is always a first one.
#[derive(Debug)]
pub struct Engines {
    first: ConfiguredEngine,
    others: Vec<ConfiguredEngine>,
}

/// An engine, and the client that it is, for what not every engine can do.
#[derive(Clone, Debug)]
pub struct ConfiguredEngine {
    /// What all engines can do.
    pub engine: Arc<dyn Engine>,
    manager: ModelManager,
}

/// Who does what not every engine can do: loads, deletes and downloads models, tells their details, renders prompts.
#[derive(Clone, Debug)]
pub enum ModelManager {
    /// An Ollama.
    Ollama(Ollama),
    /// A `llama-server`, in front of one model or as a router of several.
    LlamaServer(OpenAi),
}

impl From<OllamaEngine> for ConfiguredEngine {
    fn from(engine: OllamaEngine) -> Self {
        Self {
            manager: ModelManager::Ollama(engine.client().clone()),
            engine: Arc::new(engine),
        }
    }
}

impl ConfiguredEngine {
    fn new(config: &EngineConfig) -> Result<Self, reqwest::Error> {
        let address = config.address.clone();
        Ok(match &config.protocol {
            EngineProtocol::Ollama => OllamaEngine::new(&config.name, Ollama::new(address)?).into(),
            EngineProtocol::OpenAi(key) => {
                let engine = OpenAi::new(&config.name, address, key.clone())?;
                Self {
                    engine: Arc::new(engine.clone()),
                    manager: ModelManager::LlamaServer(engine),
                }
            }
        })
    }

    /// What the page is told of it. One that has not told what it is yet is asked for it, for a moment.
    pub async fn info(&self) -> EngineInfo {
        let asked = tokio::time::timeout(KIND_TIME, self.engine.find_kind()).await;
        if asked.is_err() {
            tracing::info!("an engine takes long to say what it is");
        }
        EngineInfo {
            reach: self.engine.reach().await,
            can: self.engine.actions(),
            ..self.engine.info().clone()
        }
    }

    /// Who does something that not every engine can do.
    ///
    /// # Errors
    /// [`Fault::NotOffered`] if this engine does not offer it.
    pub async fn manager(self, action: EngineAction) -> Result<ModelManager, Fault> {
        self.engine.find_kind().await;
        match self.engine.actions().contains(&action) {
            true => Ok(self.manager),
            false => Err(not_offered(self.engine.info(), action)),
        }
    }

    /// The Ollama, for what only Ollama can do.
    ///
    /// # Errors
    /// [`Fault::NotOffered`] if this engine does not offer it.
    pub async fn ollama(self, action: EngineAction) -> Result<Ollama, Fault> {
        let engine = Arc::clone(&self.engine);
        match self.manager(action).await? {
            ModelManager::Ollama(ollama) => Ok(ollama),
            ModelManager::LlamaServer(_) => Err(not_offered(engine.info(), action)),
        }
    }
}

impl Engines {
    /// The clients of these engines. None of them connects yet.
    ///
    /// # Errors
    /// If the TLS library cannot be set up.
    pub fn new(first: &EngineConfig, others: &[EngineConfig]) -> Result<Self, reqwest::Error> {
        let others = others.iter().map(ConfiguredEngine::new);
        Ok(Self {
            first: ConfiguredEngine::new(first)?,
            others: others.collect::<Result<_, _>>()?,
        })
    }

    /// The engine of this name; the first one without a name.
    ///
    /// # Errors
    /// [`Fault::UnknownEngine`]
    pub fn get(&self, name: Option<&str>) -> Result<&ConfiguredEngine, Fault> {
        let Some(name) = name else {
            return Ok(&self.first);
        };
        let mut all = self.all();
        all.find(|known| known.engine.info().name == name)
            .ok_or_else(|| Fault::UnknownEngine {
                engine: name.chars().take(200).collect(),
            })
    }

    /// The name that its models carry: none for the first engine.
    #[must_use]
    pub fn name_in_lists(&self, engine: &dyn Engine) -> Option<String> {
        let name = &engine.info().name;
        (*name != self.first.engine.info().name).then(|| name.clone())
    }

    /// What the page is told of the engines.
    pub async fn infos(&self) -> Vec<EngineInfo> {
        futures::future::join_all(self.all().map(ConfiguredEngine::info)).await
    }

    fn all(&self) -> impl Iterator<Item = &ConfiguredEngine> {
        std::iter::once(&self.first).chain(&self.others)
    }
}
