//! The counts and times that come with an answer.

use crate::openai::list::is_model_name;
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
    // Some count as the prompt what was read of it, without the part in the cache.
    if let (Some(cached), Some(prompt)) = (usage.cached_tokens, usage.prompt_tokens)
        && cached > prompt
    {
        let timed = count("/timings/prompt_n").zip(count("/timings/cache_n"));
        let whole = timed.map(|(read, cached)| read.saturating_add(cached));
        let whole = whole.map_or(prompt, |whole| whole.max(prompt));
        usage.prompt_tokens = Some(whole);
        usage.cached_tokens = Some(cached.min(whole));
    }
    usage.answer_tokens = count("/usage/completion_tokens").or(usage.answer_tokens);
    usage.prompt_ms = millis("/timings/prompt_ms").or(usage.prompt_ms);
    usage.answer_ms = millis("/timings/predicted_ms").or(usage.answer_ms);
}

/// How far a `llama-server` has read the prompt.
pub fn reading(progress: &Value) -> Option<ReadingProgress> {
    let count = |key: &str| progress.get(key).and_then(Value::as_u64);
    let millis = progress.get("time_ms").and_then(Value::as_f64);
    let total = count("total").filter(|total| *total > 0)?;
    let processed = count("processed")?.min(total);
    Some(ReadingProgress {
        total,
        cached: count("cache").unwrap_or_default().min(processed),
        processed,
        // A fraction of a millisecond, or a number below zero, is none.
        ms: millis.map_or(0, |ms| ms as u64),
    })
}
