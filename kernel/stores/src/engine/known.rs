//! Knowledge of the engines and their models.

use super::{EngineStore, KnownEngine, same_model};
use crate::settings::SettingsStoreFields;
use reactive_graph::prelude::*;
use sash_chat::{ModelId, Receipt, Think};
use sash_wire::{
    EngineAction, EngineInfo, EngineKind, EngineState, LoadedModel, LoadingModel, ModelInfo,
    Upstream, is_old_ollama,
};

impl EngineStore {
    /// Whether an engine answers.
    pub fn is_reachable(self) -> bool {
        self.known
            .with(|all| all.iter().any(KnownEngine::is_reachable))
    }

    /// Whether a prompt can be sent to any model: an engine answers, and there is a model.
    pub(super) fn has_any_model(self) -> bool {
        self.is_reachable() && !self.models.with(Vec::is_empty)
    }

    /// Whether all engines answer.
    pub(super) fn all_reachable(self) -> bool {
        self.known
            .with(|all| all.iter().all(KnownEngine::is_reachable))
    }

    /// The names of the engines that do not answer, where there are several.
    pub fn away(self) -> Vec<String> {
        if !self.are_several() {
            return Vec::new();
        }
        let states = self.states().into_iter();
        let away = states.filter(|(_, state)| state.as_ref().is_some_and(|s| !s.reachable));
        away.map(|(engine, _)| engine.name).collect()
    }

    /// Whether an engine does not answer, where there are several.
    pub fn is_away(self, engine: Option<&str>) -> bool {
        self.are_several() && self.state_of(engine, |state| state.reachable) == Some(false)
    }

    /// The models of the engines that do not answer, as they were last listed, where there are several engines.
    pub fn away_models(self) -> Vec<ModelInfo> {
        if !self.are_several() {
            return Vec::new();
        }
        self.known.with(|all| {
            let away = all.iter().filter(|engine| engine.is_away());
            away.flat_map(|engine| engine.models.iter().cloned())
                .collect()
        })
    }

    /// The names of the engines that do not answer and whose models are not known, where there are several: they have not
    /// answered since the page was opened.
    pub fn away_without_models(self) -> Vec<String> {
        let models = self.away_models();
        let mut names = self.away();
        names.retain(|name| {
            let is_of_it =
                |model: &ModelInfo| self.name_of(model.engine.as_deref()).as_ref() == Some(name);
            !models.iter().any(is_of_it)
        });
        names
    }

    /// Whether an engine has still to say whether it answers, or the first one which models it has.
    pub(crate) fn awaits_models(self) -> bool {
        self.known.with(|all| {
            all.iter()
                .any(|engine| match (&engine.state, &engine.name) {
                    (Some(state), None) => state.reachable && !engine.is_listed,
                    (Some(_), Some(_)) => false,
                    (None, None) => !self.server_gone.get(),
                    (None, Some(_)) => true,
                })
        })
    }

    /// Whether it is not known yet which models there are: the first engine has not listed its own, or another one was not
    /// asked.
    pub fn is_listing(self) -> bool {
        !self.has_listed(None)
            || self
                .known
                .with(|all| all.iter().any(|engine| engine.state.is_none()))
    }

    /// Whether the demo is the engine.
    pub fn is_demo(self) -> bool {
        self.state
            .with(|state| state.as_ref().is_some_and(|s| s.upstream == Upstream::Demo))
    }

    /// The last state of each engine, by its name, in the order of the configuration.
    pub fn states(self) -> Vec<(EngineInfo, Option<EngineState>)> {
        let engines = self.engines.get().into_iter().enumerate();
        engines
            .map(|(at, engine)| {
                let name = Some(&*engine.name).filter(|_| at > 0);
                let state = self.state_of(name, Clone::clone);
                (engine, state)
            })
            .collect()
    }

    /// The Ollamas that answer and are too old to refuse a prompt that does not fit: the name and the version of each.
    pub fn old_ollamas(self) -> Vec<(String, String)> {
        let are_several = self.are_several();
        let states = self.states().into_iter();
        let old = states.filter_map(|(engine, state)| {
            let version = state.filter(|state| state.reachable)?.version?;
            let is_old = engine.kind == EngineKind::Ollama && is_old_ollama(&version);
            let name = match are_several {
                true => engine.name,
                false => "Ollama".to_owned(),
            };
            is_old.then_some((name, version))
        });
        old.collect()
    }

    /// Reads what is known of an engine.
    fn known_of<T>(self, engine: Option<&str>, read: impl FnOnce(&KnownEngine) -> T) -> Option<T> {
        self.known.with(|all| {
            let mut all = all.iter();
            all.find(|known| known.name.as_deref() == engine).map(read)
        })
    }

    /// Reads the last state of an engine.
    fn state_of<T>(self, engine: Option<&str>, read: impl FnOnce(&EngineState) -> T) -> Option<T> {
        self.known_of(engine, |known| known.state.as_ref().map(read))
            .flatten()
    }

    /// Reads what the server says of an engine; `None` before it said so, and for a name that it does not know.
    pub(super) fn info<T>(
        self,
        engine: Option<&str>,
        read: impl FnOnce(&EngineInfo) -> T,
    ) -> Option<T> {
        self.engines.with(|engines| {
            let found = match engine {
                None => engines.first(),
                Some(name) => engines.iter().find(|known| known.name == name),
            };
            found.map(read)
        })
    }

    /// Whether there are several engines, so that their names are shown.
    pub fn are_several(self) -> bool {
        self.engines.with(|engines| engines.len() > 1)
    }

    /// The name of an engine in the server's configuration.
    pub fn name_of(self, engine: Option<&str>) -> Option<String> {
        match engine {
            Some(name) => Some(name.to_owned()),
            None => self.info(None, |first| first.name.clone()),
        }
    }

    /// The name of an engine as it is shown: only where there are several.
    pub fn shown_name(self, engine: Option<&str>) -> Option<String> {
        match self.are_several() {
            true => self.name_of(engine),
            false => None,
        }
    }

    /// The name of the engine of an answer, as it is shown. A receipt without one is of the first engine of its server: of
    /// this one where that has the same address.
    pub fn shown_name_of(self, receipt: &Receipt) -> Option<String> {
        // A model of a cloud stands behind the address.
        let address = receipt.engine_address.as_deref();
        let address = address.and_then(|address| address.split('/').next());
        let is_known = receipt.engine.is_some()
            || address.is_some() && address == self.address_digest(None).as_deref();
        is_known.then(|| self.shown_name(receipt.engine.as_deref()))?
    }

    /// What an engine is called in sentences: Ollama, or the name of another engine.
    pub fn title(self, engine: Option<&str>) -> String {
        let other = |info: &EngineInfo| match info.kind {
            EngineKind::Ollama => None,
            EngineKind::OpenAi => Some(info.name.clone()),
        };
        let other = self.info(engine, other).flatten();
        other.unwrap_or_else(|| "Ollama".to_owned())
    }

    /// Whether an engine can do something. One of which nothing is known yet can.
    pub fn can(self, action: EngineAction, engine: Option<&str>) -> bool {
        let can = self.info(engine, |info| info.can.contains(&action));
        can.unwrap_or(true)
    }

    /// Whether an engine may count tokens. One of which nothing is known yet does not.
    pub fn may_count(self, engine: Option<&str>) -> bool {
        let can = self.info(engine, |info| info.can.contains(&EngineAction::Count));
        can.unwrap_or(false)
    }

    /// The first engine that can do something, by its name in requests; `None` if there is none.
    pub fn first_that_can(self, action: EngineAction) -> Option<Option<String>> {
        self.all_that_can(action).into_iter().next()
    }

    /// All engines that can do something, by their names in requests.
    pub fn all_that_can(self, action: EngineAction) -> Vec<Option<String>> {
        self.engines.with(|engines| {
            if engines.is_empty() {
                return vec![None];
            }
            let able = engines.iter().enumerate();
            let able = able.filter(|(_, engine)| engine.can.contains(&action));
            able.map(|(at, engine)| Some(engine.name.clone()).filter(|_| at > 0))
                .collect()
        })
    }

    /// Whether an engine takes a parameter. One of which nothing is known yet takes any.
    pub fn accepts(self, engine: Option<&str>, parameter: &str) -> bool {
        let takes = self.info(engine, |info| info.accepts(parameter));
        takes.unwrap_or(true)
    }

    /// The parameters that an engine takes; `None` where it takes any.
    pub fn parameters(self, engine: Option<&str>) -> Option<Vec<String>> {
        self.info(engine, |info| info.parameters.clone()).flatten()
    }

    /// Whether the models of an engine were listed since it was last unreachable.
    pub fn has_listed(self, engine: Option<&str>) -> bool {
        self.known_of(engine, |known| known.is_listed) == Some(true)
    }

    /// The context length that a model is loaded with, in tokens; `None` while the model is not in
    /// memory. An engine that serves its models with a fixed context tells it in its list.
    pub fn loaded_context(self, model: &ModelId) -> Option<u64> {
        let engine = model.engine.as_deref();
        if self.is_openai(engine) {
            return self.most_context(model);
        }
        let found = self.state_of(engine, |state| loaded_model(state, model).cloned());
        found.flatten().and_then(|model| model.context_length)
    }

    /// Whether a model is in memory; `None` if its engine does not say.
    pub fn is_loaded(self, model: &ModelId) -> Option<bool> {
        let engine = model.engine.as_deref();
        if self.is_openai(engine) && !self.can(EngineAction::Load, engine) {
            return None;
        }
        self.state_of(engine, |state| {
            let is_loading = state
                .loading
                .iter()
                .any(|loading| loading.name == model.name);
            !is_loading && loaded_model(state, model).is_some_and(|loaded| !loaded.is_asleep)
        })
    }

    /// What its engine says of a model on its way into memory.
    pub fn loading_of(self, model: &ModelId) -> Option<LoadingModel> {
        let of = |state: &EngineState| {
            let mut loading = state.loading.iter();
            loading.find(|loading| loading.name == model.name).cloned()
        };
        self.state_of(model.engine.as_deref(), of).flatten()
    }

    /// Whether any engine says that it is loading a model.
    pub fn is_any_loading(self) -> bool {
        self.known.with(|all| {
            let mut states = all.iter().filter_map(|engine| engine.state.as_ref());
            states.any(|state| !state.loading.is_empty())
        })
    }

    /// Whether an engine speaks the OpenAI chat API.
    pub fn is_openai(self, engine: Option<&str>) -> bool {
        self.info(engine, |info| info.kind) == Some(EngineKind::OpenAi)
    }

    /// The models in memory, of all engines.
    pub fn loaded(self) -> Vec<(ModelId, LoadedModel)> {
        self.known.with(|all| {
            let loaded = all.iter().flat_map(|engine| {
                let loaded = engine.state.iter().flat_map(|state| &state.loaded);
                loaded.map(move |model| {
                    (
                        ModelId::new(engine.name.as_deref(), &model.name),
                        model.clone(),
                    )
                })
            });
            loaded.collect()
        })
    }

    /// The context length that a model had when it was last in memory, in tokens.
    pub fn last_context(self, model: &ModelId) -> Option<u64> {
        self.contexts.with(|known| {
            let found = known.iter().find(|(known, _)| same_id(known, model));
            found.map(|(_, tokens)| *tokens)
        })
    }

    pub(super) fn record_contexts(self, engine: Option<&str>, state: &EngineState) {
        let loaded = state.loaded.iter();
        let loaded =
            loaded.filter_map(|m| Some((ModelId::new(engine, &m.name), m.context_length?)));
        for (model, tokens) in loaded {
            if self.last_context(&model) != Some(tokens) {
                self.contexts.update(|known| {
                    known.retain(|(other, _)| !same_id(other, &model));
                    known.push((model, tokens));
                });
            }
        }
    }

    /// Reads what the list says of a model.
    pub(super) fn listed<T>(
        self,
        model: &ModelId,
        read: impl FnOnce(&ModelInfo) -> T,
    ) -> Option<T> {
        self.models.with(|models| {
            let listed = models.iter().find(|known| same_id(&known.id(), model));
            listed.map(read)
        })
    }

    /// The largest context length of a model, in tokens: Ollama never loads it with more.
    pub fn most_context(self, model: &ModelId) -> Option<u64> {
        self.models.with(|models| {
            let found = models.iter().find(|known| known.is(model));
            found.and_then(|known| known.context_length)
        })
    }

    /// The digest of a model in the list.
    pub fn digest(self, model: &ModelId) -> Option<String> {
        self.listed(model, |known| known.digest.clone()).flatten()
    }

    /// The value of a parameter that a model's file sets, as text.
    pub fn default_of(self, model: &ModelId, parameter: &str) -> Option<String> {
        self.listed(model, |known| known.parameters.get(parameter).cloned())
            .flatten()
    }

    /// The values of `think` that a model in the list offers; none for a model that cannot think.
    pub fn think_choices(self, model: &ModelId) -> Vec<Think> {
        let choices = self.listed(model, |known| known.think.clone());
        choices.unwrap_or_default()
    }

    /// The values of `think` that may be sent to a model: those that it offers, and all while the list of its
    /// engine has not come.
    pub fn sendable_think(self, model: &ModelId) -> Vec<Think> {
        self.listed_or(model, |known| known.think.clone(), Think::ALL.to_vec())
    }

    /// Whether an engine has a model, as far as is known: it may have one while its list has not come.
    pub fn has(self, model: &ModelId) -> bool {
        let engine = model.engine.as_deref();
        let is_configured = engine.is_none()
            || self.engines.with(Vec::is_empty)
            || self.info(engine, |_| ()).is_some();
        is_configured && self.listed_or(model, |_| true, true)
    }

    /// Whether a model sees images. One whose capabilities are unknown may, until its engine refused one.
    pub fn sees_images(self, model: &ModelId) -> bool {
        self.listed_or(model, ModelInfo::sees_images, true)
            && !self.blind.with(|blind| blind.contains(model))
    }

    /// Remembers that a model refused an image: its images are left out from now on, or every later request would be
    /// refused for the same one.
    pub(crate) fn record_blind(self, model: ModelId) {
        self.blind.update(|blind| blind.push(model));
    }

    /// The models that say that they see images, the one used last first.
    pub fn seeing(self) -> Vec<ModelId> {
        let recent = self.settings.current.recent_models().get();
        let mut models = self.models.with(|models| {
            let seeing = models.iter().filter(|model| {
                model.capabilities.iter().any(|can| can == "vision") && model.can_chat()
            });
            seeing.map(ModelInfo::id).collect::<Vec<_>>()
        });
        models.sort_by_key(|model| {
            let place = recent.iter().position(|key| *key == model.key());
            place.unwrap_or(usize::MAX)
        });
        models
    }

    /// Whether a model calls tools. One whose capabilities are unknown may: then its engine decides.
    pub fn uses_tools(self, model: &ModelId) -> bool {
        self.listed_or(model, ModelInfo::uses_tools, true)
    }

    /// The tokenizer of a model; empty if unknown.
    pub fn tokenizer_of(self, model: &ModelId) -> String {
        let found = self.listed(model, |listed| listed.tokenizer.clone());
        found.unwrap_or_default()
    }

    /// What the list says of a model; nothing for a model that is not in it, and `unlisted` while the list of its
    /// engine has not come: a prompt that is sent in this moment must not lose its images, tools or thinking.
    fn listed_or<T: Default>(
        self,
        model: &ModelId,
        read: impl FnOnce(&ModelInfo) -> T,
        unlisted: T,
    ) -> T {
        let known = self.listed(model, read);
        known.unwrap_or_else(|| match self.has_listed(model.engine.as_deref()) {
            true => T::default(),
            false => unlisted,
        })
    }
}

/// A model of an engine, if it is in memory.
fn loaded_model<'a>(state: &'a EngineState, model: &ModelId) -> Option<&'a LoadedModel> {
    let mut loaded = state.loaded.iter();
    loaded.find(|loaded| same_model(&loaded.name, &model.name))
}

/// Whether two ids mean the same model.
fn same_id(a: &ModelId, b: &ModelId) -> bool {
    a.engine == b.engine && same_model(&a.name, &b.name)
}
