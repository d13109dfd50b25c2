//! The settings as a store: who reads a field is woken by a change of that field alone.

use super::{ModelContext, SendKey, Settings, SettingsStoreFields, parameters_of};
use crate::hooks::Events;
use crate::storage::Storage;
use reactive_graph::prelude::*;
use reactive_stores::{Patch, Store};
use sash_chat::window::{Estimate, FirstMessageRule};
use sash_chat::{RecallMode, RecallSetting};
use sash_wire::{EngineInfo, EngineReach, NUM_CTX, RUNNER_OPTIONS};
use serde_json::{Map, Value};

/// The settings, stored in the log. In the lists a model stands by its [key](sash_chat::ModelId::key).
#[derive(Clone, Copy)]
pub struct SettingsStore {
    storage: Storage,
    /// The present settings, to be read field by field; [`Self::change`] writes them.
    pub current: Store<Settings>,
    /// The settings were replaced, here or by another tab.
    pub(super) replaced: Events<Settings>,
}

impl SettingsStore {
    /// Loads the settings from the log.
    #[must_use]
    pub fn new(storage: Storage) -> Self {
        let stored: Option<Settings> = storage.with_log(|log| log.settings()).flatten();
        Self {
            storage,
            current: Store::new(stored.unwrap_or_default()),
            replaced: Events::default(),
        }
    }

    /// How a chat that says nothing of recall recalls messages: it only makes offers, or not even these.
    #[must_use]
    pub fn recall(self) -> RecallSetting {
        let mode = match self.current.no_offers().get() {
            true => RecallMode::Off,
            false => RecallMode::Offer,
        };
        RecallSetting {
            mode,
            ..RecallSetting::default()
        }
    }

    /// The token estimate for a model with this tokenizer, calibrated with the model's counts.
    #[must_use]
    pub fn estimate_for(self, model: Option<&str>, tokenizer: &str) -> Estimate {
        self.current.calibrations().with(|known| {
            let found = known.iter().find(|c| Some(c.model.as_str()) == model);
            match found {
                Some(calibration) => calibration.estimate(tokenizer),
                None => Estimate::of_tokenizer(tokenizer),
            }
        })
    }

    /// What the chat template of a model requires first, as far as known.
    #[must_use]
    pub fn opening_for(self, model: Option<&str>) -> FirstMessageRule {
        self.current.question_first().with(|known| {
            match known.iter().any(|known| Some(known.as_str()) == model) {
                true => FirstMessageRule::Question,
                false => FirstMessageRule::Any,
            }
        })
    }

    /// The parameters of all chats with a model.
    #[must_use]
    pub fn parameters_of(self, model: &str) -> Map<String, Value> {
        let parameters = self.current.parameters();
        parameters.with(|all| parameters_of(all, model))
    }

    /// The context length that the person set for a model, in tokens.
    #[must_use]
    pub fn context_of(self, model: &str) -> Option<u64> {
        self.current.contexts().with(|given| {
            let mut given = given.iter();
            given.find(|c| c.model == model).map(|c| c.tokens)
        })
    }

    /// The parameters of all chats with a model, and the context length that the person set for it.
    pub(crate) fn parameters_and_context(self, model: &str) -> Map<String, Value> {
        let mut all = self.parameters_of(model);
        if let Some(tokens) = self.context_of(model) {
            all.insert(NUM_CTX.to_owned(), Value::from(tokens));
        }
        all
    }

    /// The options of every request to a model that make Ollama reload it when they change.
    pub fn runner_options(self, model: &str) -> Map<String, Value> {
        let mut options = self.parameters_and_context(model);
        options.retain(|name, _| RUNNER_OPTIONS.contains(&name.as_str()));
        options
    }

    /// Switches the suggestions of older messages on or off.
    pub fn toggle_offers(self) {
        let no_offers = !self.current.no_offers().get_untracked();
        self.change(|settings| settings.no_offers = no_offers);
    }

    /// Whether the person lets an engine have drafts before they are sent; `None` while they have not said.
    #[must_use]
    pub fn draft_answer(self, engine: &EngineInfo) -> Option<bool> {
        let answers = self.current.draft_answers();
        answers.with(|answers| {
            let mut answers = answers.iter();
            let answer = answers.find(|answer| answer.is_for(engine));
            answer.map(|answer| answer.allowed)
        })
    }

    /// Lets an engine have drafts before they are sent, or not.
    pub fn answer_drafts(self, engine: &EngineInfo, allowed: bool) {
        self.change(|settings| settings.answer_drafts(engine, allowed));
    }

    /// Takes over what an earlier version kept by an engine's name, for the address at which the engine is seen first. At a
    /// loopback address where something else may listen the person is asked, since what they allowed may have been another
    /// engine.
    pub(crate) fn bind_draft_engines(self, engines: &[EngineInfo]) {
        let is_seen = |name: &String| {
            let mut engines = engines.iter();
            engines.any(|engine| engine.name == *name && !engine.address_digest.is_empty())
        };
        let former = self.current.draft_engines();
        if !former.with_untracked(|former| former.iter().any(is_seen)) {
            return;
        }
        self.change(|settings| {
            let former = std::mem::take(&mut settings.draft_engines);
            let (seen, unseen): (Vec<String>, _) = former.into_iter().partition(is_seen);
            settings.draft_engines = unseen;
            for engine in engines {
                let is_sure = engine.reach != EngineReach::Loopback;
                if is_sure && seen.contains(&engine.name) {
                    settings.answer_drafts(engine, true);
                }
            }
        });
    }

    /// Sets the context length of the model with this key, in tokens.
    pub fn set_context(self, model: &str, tokens: u64) {
        self.change(|settings| {
            settings.contexts.retain(|known| known.model != model);
            let model = model.to_owned();
            settings.contexts.push(ModelContext { model, tokens });
        });
    }

    /// Notes that the person has read that messages above the window are no longer seen by the model.
    pub fn record_window_explained(self) {
        if !self.current.window_explained().get_untracked() {
            self.change(|settings| settings.window_explained = true);
        }
    }

    /// The key that sends a prompt now.
    pub fn send_key(self) -> SendKey {
        self.current.send_key().get_untracked()
    }

    /// Notes that the model with this key is used, which makes it the first of the picker.
    pub(crate) fn record_use(self, model: &str) {
        let is_first = |recent: &Vec<String>| recent.first().is_some_and(|first| first == model);
        if !self.current.recent_models().with_untracked(is_first) {
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
        self.replace(settings);
        self.save();
    }

    fn replace(self, settings: Settings) {
        self.replaced.emit(&settings);
        self.current.patch(settings);
    }

    /// Saves the present settings.
    pub fn save(self) {
        let settings = self.current.get_untracked();
        self.storage.write(|log| log.save_settings(&settings));
    }

    /// Replaces the settings by those that another tab wrote.
    pub fn reload(self) {
        if let Some(settings) = self.stored() {
            self.replace(settings);
        }
    }

    /// The stored settings, if there are any.
    fn stored(self) -> Option<Settings> {
        self.storage.with_log(|log| log.settings()).flatten()
    }
}
