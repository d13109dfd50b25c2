//! The settings for all chats.

use crate::storage::Storage;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{Calibration, Estimate, FirstMessageRule};
use sash_chat::{ModelId, Policy, RecallMode, RecallSetting};
use sash_wire::{NUM_CTX, RUNNER_OPTIONS, Upstream};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// How many models are remembered as used last.
const MAX_RECENT_MODELS: usize = 12;

/// The settings, stored under the key `sash:set`.
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
    /// The model chosen last, used by new chats.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The engine of that model; `None` is the first one.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The key of the model that new chats begin with; `None`: the one chosen last.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_model: Option<String>,
    /// The keys of the models in the order in which they were used, the last one first.
    pub recent_models: Vec<String>,
    /// The key that sends a prompt.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "SendKey::is_default")]
    pub send_key: SendKey,
    /// Whether the configured engines answer, or the demo.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub upstream: Upstream,
    /// The policy of new chats.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub policy: Policy,
    /// The system prompt of new chats.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system: String,
    /// The saved system prompts.
    pub systems: Vec<SystemPrompt>,
    /// Calibrations of the token estimate, by model. In this and the following lists a model stands by its
    /// [`ModelId::key`], so that two models of one name at two engines are apart.
    pub calibrations: Vec<Calibration>,
    /// The context lengths that the person set, by model.
    pub contexts: Vec<ModelContext>,
    /// The parameters of all chats with a model, by model.
    pub parameters: Vec<ModelParameters>,
    /// The models whose chat template requires a question first: for them, the question before the
    /// window is included.
    pub question_first: Vec<String>,
    /// How new chats recall messages; `None` leaves it to `no_offers`.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallSetting>,
    /// Whether chats that say nothing of recall make no offers.
    pub no_offers: bool,
    /// The key of the model that makes vectors of messages for recall; `None`: messages are found by words alone.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    /// Whether the key `?` alone does not open the list of keyboard shortcuts.
    pub no_help_key: bool,
    /// Whether it was said that messages above the window are no longer seen by the model: once for each browser.
    pub window_explained: bool,
    /// The revision, incremented at each write; the higher one wins.
    #[serde_as(deserialize_as = "DefaultOnError")]
    rev: u32,
}

/// The key that sends a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendKey {
    /// Enter; with Shift it begins a line.
    #[default]
    Enter,
    /// Ctrl+Enter, or Cmd+Enter; Enter alone begins a line.
    CtrlEnter,
}

impl SendKey {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A system prompt with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemPrompt {
    /// The name shown.
    pub name: String,
    /// The text of the prompt.
    pub text: String,
}

impl Settings {
    /// Puts a model, by its key, first among those used last.
    pub(crate) fn add_recent_model(&mut self, model: &str) {
        self.recent_models.retain(|key| key != model);
        self.recent_models.insert(0, model.to_owned());
        self.recent_models.truncate(MAX_RECENT_MODELS);
    }

    /// How a chat that says nothing of recall recalls messages: it only makes offers, or not even these.
    #[must_use]
    pub fn recall(&self) -> RecallSetting {
        let mode = match self.no_offers {
            true => RecallMode::Off,
            false => RecallMode::Offer,
        };
        RecallSetting {
            mode,
            ..RecallSetting::default()
        }
    }

    /// The model chosen last, with its engine.
    pub fn model_id(&self) -> Option<ModelId> {
        let name = self.model.as_deref()?;
        Some(ModelId::new(self.engine.as_deref(), name))
    }

    /// The model that a new chat begins with.
    pub fn model_of_new_chats(&self) -> Option<ModelId> {
        let default = self.default_model.as_deref().map(ModelId::from);
        default.or_else(|| self.model_id())
    }

    /// The token estimate for a model with this tokenizer, calibrated with the model's counts.
    pub fn estimate_for(&self, model: Option<&str>, tokenizer: &str) -> Estimate {
        let mut known = self.calibrations.iter();
        let found = known.find(|c| Some(c.model.as_str()) == model);
        match found {
            Some(calibration) => calibration.estimate(tokenizer),
            None => Estimate::of_tokenizer(tokenizer),
        }
    }

    /// What the chat template of a model requires first, as far as known.
    pub fn opening_for(&self, model: Option<&str>) -> FirstMessageRule {
        let mut known = self.question_first.iter();
        match known.any(|known| Some(known.as_str()) == model) {
            true => FirstMessageRule::Question,
            false => FirstMessageRule::Any,
        }
    }

    /// The parameters of all chats with a model.
    pub fn parameters_of(&self, model: &str) -> Map<String, Value> {
        let mut given = self.parameters.iter();
        let found = given.find(|p| p.model == model);
        found.map(|p| p.values.clone()).unwrap_or_default()
    }

    /// Changes the parameters of all chats with a model. Without any the model has no entry.
    pub(crate) fn change_parameters(
        &mut self,
        model: &str,
        change: impl FnOnce(&mut Map<String, Value>),
    ) {
        let mut values = self.parameters_of(model);
        change(&mut values);
        self.parameters.retain(|known| known.model != model);
        if !values.is_empty() {
            let model = model.to_owned();
            self.parameters.push(ModelParameters { model, values });
        }
    }

    /// The parameters of all chats with a model, and the context length that the person set for it.
    pub(crate) fn parameters_and_context(&self, model: &str) -> Map<String, Value> {
        let mut all = self.parameters_of(model);
        if let Some(tokens) = self.context_of(model) {
            all.insert(NUM_CTX.to_owned(), Value::from(tokens));
        }
        all
    }

    /// The options of every request to a model that make Ollama reload it when they change.
    pub fn runner_options(&self, model: &str) -> Map<String, Value> {
        let mut options = self.parameters_and_context(model);
        options.retain(|name, _| RUNNER_OPTIONS.contains(&name.as_str()));
        options
    }

    /// The context length that the person set for a model, in tokens.
    pub fn context_of(&self, model: &str) -> Option<u64> {
        let mut given = self.contexts.iter();
        given.find(|c| c.model == model).map(|c| c.tokens)
    }
}

/// The parameters that a person set for all chats with a model; a chat's own override them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelParameters {
    /// The name of the model.
    pub model: String,
    /// The values, by Ollama's name of the parameter.
    pub values: Map<String, Value>,
}

/// The context length that a person set for a model. Every request to the model carries the same
/// value, because another one makes Ollama reload the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelContext {
    /// The name of the model.
    pub model: String,
    /// The context length in tokens, sent as `num_ctx`.
    pub tokens: u64,
}

/// The settings, stored in the log.
#[derive(Clone, Copy)]
pub struct SettingsStore {
    storage: &'static Storage,
    /// The present settings.
    pub current: RwSignal<Settings>,
}

impl SettingsStore {
    /// Loads the settings from the log.
    #[must_use]
    pub fn new(storage: &'static Storage) -> Self {
        let stored: Option<Settings> = storage.with_log(|log| log.settings()).flatten();
        Self {
            storage,
            current: RwSignal::new(stored.unwrap_or_default()),
        }
    }

    /// Switches the suggestions of older messages on or off.
    pub fn toggle_offers(self) {
        let no_offers = !self.current.with_untracked(|settings| settings.no_offers);
        self.change(|settings| settings.no_offers = no_offers);
    }

    /// Switches the key `?` alone on or off.
    pub fn toggle_help_key(self) {
        let no_help_key = !self.current.with_untracked(|settings| settings.no_help_key);
        self.change(|settings| settings.no_help_key = no_help_key);
    }

    /// Notes that the person has read that messages above the window are no longer seen by the model.
    pub fn note_window_explained(self) {
        if !self
            .current
            .with_untracked(|settings| settings.window_explained)
        {
            self.change(|settings| settings.window_explained = true);
        }
    }

    /// The key that sends a prompt now.
    pub fn send_key(self) -> SendKey {
        self.current.with_untracked(|settings| settings.send_key)
    }

    /// Notes that the model with this key is used, which makes it the first of the picker.
    pub(crate) fn note_use(self, model: &str) {
        let first = |settings: &Settings| settings.recent_models.first().cloned();
        if self.current.with_untracked(first).as_deref() != Some(model) {
            self.change(|settings| settings.add_recent_model(model));
        }
    }

    /// Changes the settings that are stored now and saves them: another tab may have changed others since this one
    /// read them. `change` must set what it changes alone, and must not copy the rest from [`Self::current`].
    pub fn change(self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self
            .stored()
            .unwrap_or_else(|| self.current.get_untracked());
        change(&mut settings);
        settings.rev = settings.rev.wrapping_add(1);
        self.current.set(settings);
        self.save();
    }

    /// Saves the present settings.
    pub fn save(self) {
        let settings = self.current.get_untracked();
        self.storage.write(|log| log.save_settings(&settings));
    }

    /// Replaces the settings by those that another tab wrote.
    pub fn reload(self) {
        if let Some(settings) = self.stored() {
            self.current.set(settings);
        }
    }

    /// The stored settings, if there are any.
    fn stored(self) -> Option<Settings> {
        self.storage.with_log(|log| log.settings()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_remembered_once_and_the_list_stays_short() {
        let mut settings = Settings::default();
        for n in 0..20 {
            settings.add_recent_model(&format!("m{n}"));
        }
        settings.add_recent_model("m18");
        assert_eq!(settings.recent_models.len(), MAX_RECENT_MODELS);
        assert_eq!(settings.recent_models[..3], ["m18", "m19", "m17"]);
    }
}
