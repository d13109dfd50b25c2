//! The parameters of the open chat and of its model.

use super::Steering;
use reactive_graph::prelude::*;
use sash_chat::{ChatSettingsStoreFields, ChatStoreFields, HeadStoreFields, ModelId};
use sash_wire::{PARAMETERS, RUNNER_OPTIONS};
use serde_json::{Map, Value};

impl Steering {
    /// The parameters of every request to a model: what the person set for all chats with it, and
    /// its context length.
    pub fn parameters_of(self, model: &ModelId) -> Map<String, Value> {
        self.settings().parameters_and_context(&model.key())
    }

    /// Whether the engine of the open chat's model takes a parameter; what it does not take is not sent to it.
    pub fn accepts(self, name: &str) -> bool {
        let model = self.model.get().unwrap_or_default();
        self.engine().accepts(model.engine.as_deref(), name)
    }

    /// The open chat's own value of a parameter.
    pub fn parameter(self, name: &str) -> Option<Value> {
        let own = self.chats().open_settings().parameters();
        own.with(|own| own.get(name).cloned())
    }

    /// The value that the folder of the open chat has for a parameter, and the folder's name.
    pub fn folder_parameter(self, name: &str) -> Option<(String, Value)> {
        let inherited = self.chats().open.head().inherited();
        inherited.with(|inherited| {
            let folder = inherited.folder()?;
            let value = folder.parameters.get(name)?.clone();
            Some((folder.name.clone(), value))
        })
    }

    /// The value of a parameter for all chats with the open chat's model.
    pub fn model_parameter(self, name: &str) -> Option<Value> {
        let model = self.model.get()?;
        let of_model = self.settings().parameters_of(&model.key());
        of_model.get(name).cloned()
    }

    /// The parameters of the open chat or its model that the page does not offer by name.
    pub fn other_parameters(self) -> Vec<String> {
        let model = self.model.get().unwrap_or_default();
        let own = self.chats().open_settings().parameters();
        let mut names: Vec<String> = own.with(|own| own.keys().cloned().collect());
        let of_model = self.settings().parameters_of(&model.key());
        names.extend(of_model.into_iter().map(|(name, _)| name));
        names.sort();
        names.dedup();
        names.retain(|name| PARAMETERS.iter().all(|known| known.name != name));
        names
    }

    /// How many parameters differ from the defaults of Ollama and the model file.
    pub fn count_parameters(self) -> usize {
        let model = self.model.get().unwrap_or_default();
        let mut all = self.parameters_of(&model);
        all.extend(
            self.chats()
                .open
                .with(|chat| chat.head.effective_parameters()),
        );
        all.len()
    }

    /// Sets a parameter of the open chat; `None` leaves it to the model. An option of the runner is
    /// set for all chats with the model: two chats with different values would make Ollama reload it
    /// again and again.
    pub fn set_parameter(self, name: &str, value: Option<Value>) {
        if RUNNER_OPTIONS.contains(&name) {
            return self.set_model_parameter(name, value);
        }
        let own = self.chats().open_settings().parameters();
        if own.with_untracked(|own| own.get(name) == value.as_ref()) {
            return;
        }
        self.steer(|head| set_value(&mut head.settings.parameters, name, value));
    }

    /// Sets a parameter of all chats with the open chat's model; `None` leaves it to Ollama.
    fn set_model_parameter(self, name: &str, value: Option<Value>) {
        let Some(model) = self.model.get_untracked() else {
            return;
        };
        self.settings().change(|settings| {
            settings.change_parameters(&model.key(), |values| set_value(values, name, value));
        });
    }

    /// Makes the open chat's parameters those of all chats with its model.
    pub fn share_parameters(self) {
        let Some(model) = self.model.get_untracked() else {
            return;
        };
        let own = self.chats().open_settings().parameters().get_untracked();
        self.settings().change(|settings| {
            settings.change_parameters(&model.key(), |values| values.extend(own));
        });
        self.steer(|head| head.settings.parameters.clear());
    }

    /// Removes every parameter of the model with this key, its context length included; those of its
    /// chats stay.
    pub fn reset_model(self, model: &str) {
        self.settings().change(|settings| {
            settings.change_parameters(model, Map::clear);
            settings.contexts.retain(|known| known.model != model);
        });
    }

    /// Removes every parameter of the open chat and of its model but the context length.
    pub fn reset_parameters(self) {
        let model = self.model.get_untracked().unwrap_or_default();
        self.settings()
            .change(|settings| settings.change_parameters(&model.key(), Map::clear));
        self.steer(|head| head.settings.parameters.clear());
    }
}

/// Sets a value, or removes it; the others keep their order.
fn set_value(values: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    match value {
        Some(value) => _ = values.insert(name.to_owned(), value),
        None => _ = values.shift_remove(name),
    }
}
