//! The model the next prompt goes to, and how much context it has.

use crate::chats::Chats;
use crate::engine::Engine;
use crate::settings::SettingsStore;
use reactive_graph::prelude::*;
use sash_chat::window::ASSUMED_CONTEXT;

/// Tokens of context a model has at the next prompt: what the person gave it, else what is loaded.
pub(crate) fn known_context(settings: &SettingsStore, engine: &Engine, model: &str) -> Option<u64> {
    let given = settings.current.with(|settings| settings.context_of(model));
    let given = given.map(|given| engine.most_context(model).map_or(given, |m| m.min(given)));
    given.or_else(|| engine.loaded_context(model))
}

/// The same; while it is not known what the model had when it was last loaded, else Ollama's smallest.
pub(crate) fn assumed_context(settings: &SettingsStore, engine: &Engine, model: &str) -> u64 {
    let known = known_context(settings, engine, model).or_else(|| engine.last_context(model));
    known.unwrap_or_else(|| {
        let most = engine.most_context(model);
        most.map_or(ASSUMED_CONTEXT, |most| most.min(ASSUMED_CONTEXT))
    })
}

/// The model the next prompt goes to: the chat's, even if it is missing now, so that the chat keeps its
/// setting; the first there is where none was chosen. The demo has its own.
pub(crate) fn next_model(chats: &Chats, engine: &Engine) -> Option<String> {
    let listed = |name: &String| {
        engine
            .models
            .with(|models| models.iter().any(|m| m.name == *name))
    };
    let chosen = chats.open.with(|chat| chat.head.model.clone());
    let chosen = chosen.filter(|name| !engine.is_demo() || listed(name));
    chosen.or_else(|| {
        engine
            .models
            .with(|models| models.first().map(|m| m.name.clone()))
    })
}
