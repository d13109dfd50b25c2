//! The counts and times that come with an answer.

use crate::server::openai::list::is_model_name;
use sash_wire::{ReadingProgress, Usage};
use serde_json::Value;

/// The counts of the usage event, and the times that `llama-server` adds. A missing figure is unknown.
pub fn read_usage(value: &Value, model: &str, usage: &mut Usage) {
    let count = |path: &str| value.pointer(path).and_then(Value::as_u64);
    let millis = |path: &str| {
        value
            .pointer(path)
            .and_then(Value::as_f64)
            .filter(|ms| *ms >= 0.0)
    };
    // A `llama-server` answers to any name with the model that it has.
    let answered = value.get("model").and_then(Value::as_str);
    let other = answered.filter(|name| *name != model && is_model_name(name));
    if let Some(name) = other {
        usage.model = Some(name.to_owned());
    }
    usage.prompt_tokens = count("/usage/prompt_tokens").or(usage.prompt_tokens);
    usage.cached_tokens = count("/usage/prompt_tokens_details/cached_tokens")
        .or_else(|| count("/timings/cache_n"))
        .or(usage.cached_tokens);
    usage.answer_tokens = count("/usage/completion_tokens").or(usage.answer_tokens);
    usage.prompt_ms = millis("/timings/prompt_ms").or(usage.prompt_ms);
    usage.answer_ms = millis("/timings/predicted_ms").or(usage.answer_ms);
}

/// How far a `llama-server` has read the prompt.
pub fn reading(progress: &Value) -> Option<ReadingProgress> {
    let count = |key: &str| progress.get(key).and_then(Value::as_u64);
    let millis = progress.get("time_ms").and_then(Value::as_f64);
    Some(ReadingProgress {
        total: count("total").filter(|total| *total > 0)?,
        cached: count("cache").unwrap_or_default(),
        processed: count("processed")?,
        // A fraction of a millisecond, or a number below zero, is none.
        ms: millis.map_or(0, |ms| ms as u64),
    })
}
