//! Models, messages and numbers in words.

use leptos::prelude::Get;
use sash_chat::{Message, ModelId, Role};
use sash_log::DraftField;
use sash_stores::{Drafts, EngineStore};
use sash_wire::short_name;
use sash_words::{count::tenths, t};

/// The name of a model, and that of its engine where there are several.
pub fn model_title(engine: EngineStore, model: &ModelId) -> String {
    let name = short_name(&model.name);
    match engine.shown_name(model.engine.as_deref()) {
        Some(of_engine) => format!("{name} · {of_engine}"),
        None => name.to_owned(),
    }
}

/// The models to choose from, each with its words: those that can answer, those of the engines that do not answer, which
/// say so, and the one that is `chosen` already, whether or not it is listed.
pub fn model_choices(engine: EngineStore, chosen: Option<&ModelId>) -> Vec<(ModelId, String)> {
    let listed = engine.models.get().into_iter();
    let listed = listed.chain(engine.away_models());
    let mut models: Vec<ModelId> = listed.map(|model| model.id()).collect();
    models.extend(chosen.filter(|model| !models.contains(model)).cloned());
    let titled = models.into_iter().map(|model| {
        let title = model_title(engine, &model);
        let words = match engine.is_away(model.engine.as_deref()) {
            true => format!("{title} · {}", t!(common.engine_not_reachable)),
            false => title,
        };
        (model, words)
    });
    titled.collect()
}

/// Who wrote a message: its model, or its role.
pub fn speaker(message: &Message) -> &str {
    match message.role {
        Role::Assistant => message.model.as_deref().unwrap_or(t!(common.answer)),
        Role::System => t!(common.system),
        Role::Tool => t!(common.tool),
        Role::User => t!(common.you),
    }
}

/// A number of bytes: `412 B`, `1.7 MB`, `2.0 GB`.
pub fn byte_size(bytes: u64) -> String {
    let (tenth, name) = match bytes {
        1_000_000_000.. => (100_000_000, "GB"),
        1_000_000.. => (100_000, "MB"),
        1_000.. => (100, "kB"),
        _ => return format!("{bytes} B"),
    };
    format!("{} {name}", tenths(bytes / tenth))
}

/// A length of time for a countdown: `42 s`, `4:05 min`, `1:02 h`.
pub fn time_left(seconds: u64) -> String {
    match seconds {
        3600.. => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
        60.. => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{seconds} s"),
    }
}

/// The words of a button that opens a field, which say where an unsaved text waits in it.
pub fn words_with_unsaved(drafts: Drafts, action: &str, field: DraftField) -> String {
    match drafts.has_field(field) {
        true => t!(common.unsaved_text, action = action),
        false => action.to_owned(),
    }
}
