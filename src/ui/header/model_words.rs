//! Descriptions of a model.

use crate::ui::parts::byte_size;
use sash_wire::{ModelInfo, short_name};

/// The name of a model, and that it is not on this machine if so.
pub fn name(model: &ModelInfo) -> String {
    let name = short_name(&model.name);
    match model.remote {
        true => format!("{name} · cloud, leaves this machine"),
        false => name.to_owned(),
    }
}

/// The name of a model with its number of parameters.
pub fn label(model: &ModelInfo) -> String {
    match (model.remote, model.parameter_size.as_str()) {
        (true, _) | (false, "" | "0") => name(model),
        (false, size) => format!("{} · {size}", name(model)),
    }
}

/// The size of a model and what it can do besides writing.
pub fn abilities(model: &ModelInfo) -> String {
    let can = |capability: &str, words: &str| {
        let can = model.capabilities.iter().any(|c| c == capability);
        can.then(|| words.to_owned())
    };
    let words = [
        Some(model.parameter_size.clone()).filter(|size| !matches!(size.as_str(), "" | "0")),
        disk_size(model),
        can("thinking", "thinks"),
        can("vision", "sees images"),
        can("tools", "uses tools"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Everything known about a model, in one line.
pub fn describe(model: &ModelInfo) -> String {
    let context = model
        .context_length
        .map(|n| format!("trained for {n} tokens of context"));
    let words = [&model.family, &model.parameter_size, &model.quantization];
    let words = words.into_iter().filter(|word| !word.is_empty()).cloned();
    words
        .chain(disk_size(model))
        .chain(context)
        .collect::<Vec<_>>()
        .join(" · ")
}

fn disk_size(model: &ModelInfo) -> Option<String> {
    (model.size > 0).then(|| byte_size(model.size))
}
