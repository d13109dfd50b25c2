//! The state that all connections of one stand-in share.

use super::completions::Completions;
use super::config::Config;
use super::locks::hold;
use super::model_router::ModelRouter;
use super::models::ServedModel;
use super::names::Name;
use super::records::Records;
use super::scripts::Scripts;
use super::slots::Slots;
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::watch;

/// Downloaded bytes of each layer, by digest. A cancelled pull is resumed from them.
pub type Blobs = HashMap<String, u64>;

/// The state of one stand-in.
pub struct Shared {
    /// The settings; some can be changed while it runs.
    pub config: Mutex<Config>,
    /// The settings it started with.
    pub start: Config,
    /// The present models.
    pub models: Mutex<Vec<ServedModel>>,
    /// Layers of pulls, complete or partial.
    pub blobs: Mutex<Blobs>,
    /// Loaded models.
    pub slots: Slots,
    /// The completions of the OpenAI chat API that run.
    pub completions: Completions,
    /// The states of a router's models.
    pub router: ModelRouter,
    /// The recorded requests.
    pub records: Records,
    /// The scripts that replace answers.
    pub scripts: Scripts,
    /// Whether requests stay unanswered.
    pub silent: watch::Sender<bool>,
}

impl Shared {
    /// The initial state.
    pub fn new(config: Config) -> Self {
        Self {
            records: Records::new(if config.control { 10_000 } else { 64 }),
            models: Mutex::new(config.models.clone()),
            start: config.clone(),
            config: Mutex::new(config),
            blobs: Mutex::default(),
            slots: Slots::default(),
            completions: Completions::default(),
            router: ModelRouter::default(),
            scripts: Scripts::default(),
            silent: watch::Sender::new(false),
        }
    }

    /// A copy of the settings.
    pub fn settings(&self) -> Config {
        hold(&self.config).clone()
    }

    /// A model by name.
    pub fn find(&self, name: &Name) -> Option<ServedModel> {
        let key = name.key();
        hold(&self.models)
            .iter()
            .find(|model| model.key() == key)
            .cloned()
    }

    /// Adds a model; one with the same name is replaced.
    pub fn put(&self, model: ServedModel) {
        let mut models = hold(&self.models);
        models.retain(|other| other.key() != model.key());
        models.push(model);
    }

    /// Replaces all models.
    pub fn set_models(&self, models: Vec<ServedModel>) {
        let keys: Vec<String> = models.iter().map(ServedModel::key).collect();
        *hold(&self.models) = models;
        self.slots.keep_only(&keys);
    }
}
