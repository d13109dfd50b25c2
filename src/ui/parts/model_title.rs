//! The name of a model in a sentence.

use sash_chat::ModelId;
use sash_state::Engine;
use sash_wire::short_name;

/// The name of a model, and that of its engine where there are several.
pub fn model_title(engine: &Engine, model: &ModelId) -> String {
    let name = short_name(&model.name);
    match engine.shown_name(model.engine.as_deref()) {
        Some(of_engine) => format!("{name} · {of_engine}"),
        None => name.to_owned(),
    }
}
