//! What the person chose for all chats.

use crate::storage::Storage;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Policy;
use sash_chat::window::{Calibration, Estimate, Opening};
use sash_wire::Upstream;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The settings, kept under `sash:set`.
#[apply(
    Vec => #[serde(skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
    bool => #[serde(skip_serializing_if = "std::ops::Not::not")],
    bool => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The model chosen last; a new chat begins with it.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which server answers.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub upstream: Upstream,
    /// The rule a new chat begins with.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub policy: Policy,
    /// The system prompt a new chat begins with.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system: String,
    /// System prompts to choose from.
    pub systems: Vec<SystemPrompt>,
    /// What models have counted.
    pub calibrations: Vec<Calibration>,
    /// The contexts the person gave to models.
    pub contexts: Vec<ModelContext>,
    /// The models whose chat template wants a question first; the question before goes along for them.
    pub question_first: Vec<String>,
    /// The page does not offer to bring back what a draft refers to.
    pub no_offers: bool,
    /// The key `?` alone does not open the list of keys.
    pub no_help_key: bool,
    /// Counts rewrites; the higher one wins.
    #[serde_as(deserialize_as = "DefaultOnError")]
    rev: u32,
}

/// A system prompt with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemPrompt {
    /// What it is called.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Settings {
    /// From sizes to tokens, as a model counts them.
    pub fn estimate_for(&self, model: Option<&str>) -> Estimate {
        let mut known = self.calibrations.iter();
        let found = known.find(|c| Some(c.model.as_str()) == model);
        found.map_or_else(Estimate::default, Calibration::estimate)
    }

    /// What the chat template of a model takes first, as far as it was found out.
    pub fn opening_for(&self, model: Option<&str>) -> Opening {
        let mut known = self.question_first.iter();
        match known.any(|known| Some(known.as_str()) == model) {
            true => Opening::Question,
            false => Opening::Any,
        }
    }

    /// The context the person gave to a model, in tokens.
    pub fn context_of(&self, model: &str) -> Option<u64> {
        let mut given = self.contexts.iter();
        given.find(|c| c.model == model).map(|c| c.tokens)
    }
}

/// The context a person gave a model. The same in every request to it: another one reloads the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelContext {
    /// The model's name.
    pub model: String,
    /// Its context in tokens, `num_ctx`.
    pub tokens: u64,
}

/// The settings, kept in the log.
#[derive(Clone, Copy)]
pub struct SettingsStore {
    storage: &'static Storage,
    /// The settings as they are now.
    pub current: RwSignal<Settings>,
}

impl SettingsStore {
    /// The settings that the log has.
    #[must_use]
    pub fn new(storage: &'static Storage) -> Self {
        let kept = storage.with_log(|log| log.settings()).unwrap_or_default();
        Self {
            storage,
            current: RwSignal::new(kept),
        }
    }

    /// Changes the settings.
    pub fn change(self, change: impl FnOnce(&mut Settings)) {
        self.current.update(|settings| {
            change(settings);
            settings.rev = settings.rev.wrapping_add(1);
        });
        self.save();
    }

    /// Writes the settings as they are.
    pub fn save(self) {
        let settings = self.current.get_untracked();
        self.storage.write(|log| log.save_settings(&settings));
    }

    /// Takes in the settings that another tab wrote, whole: what is written here next must have them. Whether another
    /// server answers now.
    pub fn reload(self) -> bool {
        let Some(settings) = self.storage.with_log(|log| log.settings::<Settings>()) else {
            return false;
        };
        let former = self.current.with_untracked(|settings| settings.upstream);
        let upstream = settings.upstream;
        self.current.set(settings);
        upstream != former
    }
}
