//! Descriptions of a model.

use sash_wire::{ModelInfo, short_name};

/// The text of a model's option. `engine` is the name of its engine, where there are several.
pub fn label(model: &ModelInfo, engine: Option<&str>) -> String {
    let name = short_name(&model.name);
    let words = match (model.remote, model.parameter_size.as_str()) {
        (true, _) => format!("{name} · cloud, leaves this machine"),
        (false, "" | "0") => name.to_owned(),
        (false, size) => format!("{name} · {size}"),
    };
    match engine {
        Some(engine) => format!("{words} · {engine}"),
        None => words,
    }
}

/// Everything known about a model, in one line.
pub fn describe(model: &ModelInfo) -> String {
    let size = (model.size > 0).then(|| {
        format!(
            "{}.{} GB",
            model.size / 1_000_000_000,
            model.size / 100_000_000 % 10
        )
    });
    let context = model
        .context_length
        .map(|n| format!("trained for {n} tokens of context"));
    let words = [&model.family, &model.parameter_size, &model.quantization];
    let words = words.into_iter().filter(|word| !word.is_empty()).cloned();
    words
        .chain(size)
        .chain(context)
        .collect::<Vec<_>>()
        .join(" · ")
}
