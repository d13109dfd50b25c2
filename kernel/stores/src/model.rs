//! The model of the next prompt, and its context length.

use crate::chats::Chats;
use crate::engine::EngineStore;
use crate::settings::SettingsStore;
use reactive_graph::prelude::*;
use sash_chat::window::ASSUMED_CONTEXT;
use sash_chat::{ChatStoreFields, HeadStoreFields, ModelId, Policy};
use sash_wire::ModelInfo;

/// The context length of a model at the next prompt, in tokens: the person's setting, else what
/// Ollama loaded it with.
pub(crate) fn known_context(
    settings: SettingsStore,
    engine: EngineStore,
    model: &ModelId,
) -> Option<u64> {
    let given = settings.context_of(&model.key());
    context_length(engine, model, given)
}

/// The context length of a model for which a request gives one or not, in tokens: what is given, as far as the model
/// goes, else what it is loaded with.
pub(crate) fn context_length(
    engine: EngineStore,
    model: &ModelId,
    given: Option<u64>,
) -> Option<u64> {
    let given = given.map(|given| engine.most_context(model).map_or(given, |m| m.min(given)));
    given.or_else(|| engine.loaded_context(model))
}

/// Like `known_context`, with fallbacks: the length at which the model was last loaded, else
/// Ollama's smallest default.
pub fn assumed_context(settings: SettingsStore, engine: EngineStore, model: &ModelId) -> u64 {
    assumed_length(engine, model, known_context(settings, engine, model))
}

/// The known context length, or what is assumed instead.
pub(crate) fn assumed_length(engine: EngineStore, model: &ModelId, known: Option<u64>) -> u64 {
    let known = known.or_else(|| engine.last_context(model));
    known.unwrap_or_else(|| {
        let most = engine.most_context(model);
        most.map_or(ASSUMED_CONTEXT, |most| most.min(ASSUMED_CONTEXT))
    })
}

/// The context length that bounds a window, in tokens: the known one, else that at which the model was last loaded. One
/// that is only assumed bounds [`Policy::Fits`], which has no other measure.
pub(crate) fn bounding_length(
    engine: EngineStore,
    model: &ModelId,
    known: Option<u64>,
    policy: Policy,
) -> Option<u64> {
    match policy {
        Policy::Fits => Some(assumed_length(engine, model, known)),
        _ => known.or_else(|| engine.last_context(model)),
    }
}

/// The model of the next prompt: the chat's or else its folder's, even if it is not installed now, so that the chat
/// keeps its setting; else the first in the list. The demo uses its own model.
pub fn next_model(chats: Chats, engine: EngineStore) -> Option<ModelId> {
    let listed = |model: &ModelId| {
        engine
            .models
            .with(|models| models.iter().any(|known| known.is(model)))
    };
    let head = chats.open.head();
    let (name, of) = (head.model().get(), head.engine().get());
    let chosen = name.map(|name| ModelId::new(of.as_deref(), &name));
    let of_folder = || {
        let inherited = head.inherited();
        inherited.with(|inherited| inherited.folder()?.model_id())
    };
    let chosen = chosen.or_else(of_folder);
    let chosen = chosen.filter(|model| !engine.is_demo() || listed(model));
    chosen.or_else(|| {
        engine
            .models
            .with(|models| models.first().map(ModelInfo::id))
    })
}
