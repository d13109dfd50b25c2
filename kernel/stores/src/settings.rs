//! The settings for all chats.

mod part;
mod store;

pub use part::{PartStore, SettingsPart};
pub use store::SettingsStore;

use reactive_stores::{Patch, Store};
use sash_chat::window::Calibration;
use sash_chat::{Id, ModelId, Policy, RecallSetting};
use sash_wire::{EngineInfo, Upstream};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// How many models are remembered as used last.
const MAX_RECENT_MODELS: usize = 12;
/// How many chats are remembered in which an answer ended.
const MAX_FINISHED_CHATS: usize = 100;

/// The settings, stored under the key `sash:set`. Their fields are read one by one, through [`SettingsStore::current`].
#[apply(
    _ => #[patch(|now, new| *now = new)],
    Vec => #[serde(skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
    bool => #[serde(skip_serializing_if = "std::ops::Not::not")],
    bool => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
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
    pub systems: Vec<NamedSystemPrompt>,
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
    /// The names of engines that may have drafts, as an earlier version kept them: without an address. They count once
    /// [`SettingsStore::bind_draft_engines`] has found that.
    pub draft_engines: Vec<String>,
    /// Whether engines may have a draft before it is sent, as the person answered.
    pub draft_answers: Vec<DraftAnswer>,
    /// The chats in which an answer ended while they were not open, until they are opened; the last one last.
    pub finished_chats: Vec<Id>,
    /// Whether it was said that messages above the window are no longer seen by the model: once for each browser.
    pub window_explained: bool,
    /// The revision, incremented at each write; the higher one wins.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[store(skip)]
    rev: u32,
    /// The keys of features ([`PartStore`]), and those that a later version wrote.
    #[serde(flatten)]
    #[store(skip)]
    others: Map<String, Value>,
}

/// Whether an engine may have a draft before it is sent, as the person answered for its name and its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftAnswer {
    /// The engine's name in the server's configuration.
    pub engine: String,
    /// The digest of its address.
    pub address: String,
    /// Whether it may.
    pub allowed: bool,
}

/// The key that sends a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendKey {
    /// Enter where there is a keyboard; elsewhere the button, and Enter begins a line.
    #[default]
    Device,
    /// Enter; with Shift it begins a line.
    Enter,
    /// Ctrl+Enter, or Cmd+Enter; Enter alone begins a line.
    CtrlEnter,
}

impl SendKey {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Device, Self::Enter, Self::CtrlEnter];

    /// What it comes to on a device that has a keyboard, or none.
    #[must_use]
    pub fn on(self, has_keyboard: bool) -> Self {
        match (self, has_keyboard) {
            (Self::Device, true) => Self::Enter,
            (Self::Device, false) => Self::CtrlEnter,
            (chosen, _) => chosen,
        }
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A system prompt with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedSystemPrompt {
    /// The name shown.
    pub name: String,
    /// The text of the prompt.
    pub text: String,
}

impl DraftAnswer {
    fn is_for(&self, engine: &EngineInfo) -> bool {
        self.engine == engine.name && self.address == engine.address_digest
    }
}

impl Settings {
    fn answer_drafts(&mut self, engine: &EngineInfo, allowed: bool) {
        self.draft_answers.retain(|answer| !answer.is_for(engine));
        self.draft_answers.push(DraftAnswer {
            engine: engine.name.clone(),
            address: engine.address_digest.clone(),
            allowed,
        });
    }

    /// Puts a model, by its key, first among those used last.
    pub(crate) fn add_recent_model(&mut self, model: &str) {
        self.recent_models.retain(|key| key != model);
        self.recent_models.insert(0, model.to_owned());
        self.recent_models.truncate(MAX_RECENT_MODELS);
    }

    /// Remembers that an answer ended in a chat that was not open.
    pub(crate) fn add_finished_chat(&mut self, chat: Id) {
        self.finished_chats.retain(|known| *known != chat);
        self.finished_chats.push(chat);
        let over = self.finished_chats.len().saturating_sub(MAX_FINISHED_CHATS);
        self.finished_chats.drain(..over);
    }

    /// The model chosen last, with its engine.
    pub fn model_id(&self) -> Option<ModelId> {
        ModelId::from_fields(self.engine.as_deref(), self.model.as_deref())
    }

    /// The model that a new chat begins with.
    pub fn model_of_new_chats(&self) -> Option<ModelId> {
        let default = self.default_model.as_deref().map(ModelId::from);
        default.or_else(|| self.model_id())
    }

    /// Changes the parameters of all chats with a model. Without any the model has no entry.
    pub(crate) fn change_parameters(
        &mut self,
        model: &str,
        change: impl FnOnce(&mut Map<String, Value>),
    ) {
        let mut values = parameters_of(&self.parameters, model);
        change(&mut values);
        self.parameters.retain(|known| known.model != model);
        if !values.is_empty() {
            let model = model.to_owned();
            self.parameters.push(ModelParameters { model, values });
        }
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

/// The parameters of a model in a list of those of all models.
fn parameters_of(all: &[ModelParameters], model: &str) -> Map<String, Value> {
    let found = all.iter().find(|known| known.model == model);
    found.map(|known| known.values.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_sends_where_there_is_a_keyboard_unless_the_person_chose() {
        let on = |stored: &str, has_keyboard| {
            let settings: Settings = serde_json::from_str(stored).unwrap();
            settings.send_key.on(has_keyboard)
        };
        for (stored, with, without) in [
            ("{}", SendKey::Enter, SendKey::CtrlEnter),
            (r#"{"send_key":"enter"}"#, SendKey::Enter, SendKey::Enter),
            (
                r#"{"send_key":"ctrl_enter"}"#,
                SendKey::CtrlEnter,
                SendKey::CtrlEnter,
            ),
            (
                r#"{"send_key":"space"}"#,
                SendKey::Enter,
                SendKey::CtrlEnter,
            ),
        ] {
            assert_eq!([on(stored, true), on(stored, false)], [with, without]);
        }
        let unset = serde_json::to_string(&Settings::default()).unwrap();
        assert!(!unset.contains("send_key"));
    }

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
