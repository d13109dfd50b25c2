//! Descriptions of models in words.

use crate::{SortColumn, TimeLeft, gpu_percent, parse_time};
use sash_browser_kit::clock;
use sash_view::parts::{byte_size, time_left};
use sash_wire::{LoadedModel, ModelInfo};
use sash_words::{count::grouped, t};

/// The header of a column.
pub fn title(column: SortColumn) -> &'static str {
    match column {
        SortColumn::Name => t!(common.name),
        SortColumn::Size => t!(models.size),
        SortColumn::Family => t!(models.family),
        SortColumn::Parameters => t!(common.parameters),
        SortColumn::Quantization => t!(models.quantization),
        SortColumn::Context => t!(common.context),
        SortColumn::Capabilities => t!(models.capabilities),
        SortColumn::Modified => t!(models.changed),
    }
}

/// What a column says of a model; a dash if that is unknown.
pub fn cell(column: SortColumn, model: &ModelInfo) -> String {
    let words = match column {
        SortColumn::Name => model.name.clone(),
        SortColumn::Size if model.size > 0 => byte_size(model.size),
        SortColumn::Size => String::new(),
        SortColumn::Family => model.family.clone(),
        SortColumn::Parameters => model.parameter_size.clone(),
        SortColumn::Quantization => model.quantization.clone(),
        SortColumn::Context => model.context_length.map(grouped).unwrap_or_default(),
        SortColumn::Capabilities => model.capabilities.join(", "),
        SortColumn::Modified => parse_time(&model.modified_at)
            .map(clock::date)
            .unwrap_or_default(),
    };
    match words.is_empty() {
        true => "–".to_owned(),
        false => words,
    }
}

/// How much memory a loaded model takes, and where.
pub fn place(model: &LoadedModel) -> String {
    if model.is_asleep {
        return t!(models.sleeps).to_owned();
    }
    let Some(gpu) = gpu_percent(model) else {
        return t!(models.in_memory).to_owned();
    };
    let share = match gpu {
        0 => "CPU".to_owned(),
        100.. => "GPU".to_owned(),
        gpu => t!(models.gpu_cpu, gpu = &gpu, cpu = 100 - gpu),
    };
    format!("{} · {share}", byte_size(model.size))
}

/// How long a loaded model stays.
pub fn stay(model: &LoadedModel, now: u64) -> String {
    match TimeLeft::of(model, now) {
        TimeLeft::Unlimited => t!(models.stays_loaded).to_owned(),
        TimeLeft::Seconds(0) => t!(models.being_unloaded).to_owned(),
        TimeLeft::Seconds(seconds) => t!(models.left, seconds = time_left(seconds)),
        TimeLeft::Unknown => String::new(),
    }
}
