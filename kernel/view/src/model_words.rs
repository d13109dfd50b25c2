//! Descriptions of a model.

use crate::parts::byte_size;
use sash_wire::{ModelInfo, short_name};
use sash_words::t;

/// The name of a model, and that it is not on this machine if so. `engine` is the name of its engine, where there
/// are several.
pub fn name(model: &ModelInfo, engine: Option<&str>) -> String {
    let mut name = short_name(&model.name).to_owned();
    if model.remote {
        name += t!(header.cloud_leaves_this_machine);
    }
    match engine {
        Some(engine) => format!("{name} · {engine}"),
        None => name,
    }
}

/// The name of a model with its number of parameters, unless its tag says that already: "llama3.2:3b". `engine` as for [`name`].
pub fn label(model: &ModelInfo, engine: Option<&str>) -> String {
    let tag = model.name.split_once(':').map(|(_, tag)| tag);
    let says_size = tag.is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_digit()));
    let words = match (model.remote || says_size, model.parameter_size.as_str()) {
        (true, _) | (false, "" | "0") => name(model, None),
        (false, size) => format!("{} · {size}", name(model, None)),
    };
    match engine {
        Some(engine) => format!("{words} · {engine}"),
        None => words,
    }
}

/// The size of a model and what it can do besides writing.
pub fn abilities(model: &ModelInfo) -> String {
    // In the engine's own words, as on the page of models.
    let can = |capability: &str| {
        let can = model.capabilities.iter().any(|c| c == capability);
        can.then(|| capability.to_owned())
    };
    let words = [
        Some(model.parameter_size.clone()).filter(|size| !matches!(size.as_str(), "" | "0")),
        disk_size(model),
        can("thinking"),
        can("vision"),
        can("tools"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Everything known about a model, in one line.
pub fn describe(model: &ModelInfo) -> String {
    let context = model
        .context_length
        .map(|n| t!(header.trained_context, n = &n));
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
