//! The facts of a request and its answer, one per line.

use crate::ui::attachments::sent_image_facts;
use crate::ui::parts::{grouped, plural};
use sash_chat::{Receipt, receipt_policy_phrase};

/// The model, and the part of its digest that `ollama list` shows.
fn model_words(receipt: &Receipt) -> Option<String> {
    const SHOWN_DIGITS: usize = 12;
    let asked = receipt.model.as_ref()?;
    let mut words = match &receipt.answered_by {
        Some(answered) => format!("Model: {answered} answered, {asked} was asked for"),
        None => format!("Model: {asked}"),
    };
    if let Some(engine) = &receipt.engine {
        words += &format!(", engine {engine}");
    }
    if let Some(digest) = &receipt.digest {
        let digits: String = digest.chars().take(SHOWN_DIGITS).collect();
        words += &format!(", digest {digits}");
    }
    Some(words)
}

/// Model, policy, tokens, options and times, one per line, of an answer that read `sent` messages with its prompt.
/// `engine` is who counted the tokens.
pub fn facts_of(receipt: &Receipt, sent: usize, engine: &str) -> Vec<String> {
    let rule = receipt_policy_phrase(receipt.policy, sent);
    let mut facts: Vec<String> = model_words(receipt).into_iter().collect();
    facts.push(format!("Rule: {rule}"));
    let guess = grouped(receipt.prompt_tokens.estimated);
    let mut prompt = match receipt.prompt_tokens.counted {
        Some(counted) => format!(
            "Read: {} tokens, counted by {engine} (estimated {guess})",
            grouped(counted)
        ),
        None => format!("Read: about {guess} tokens (estimated)"),
    };
    match receipt.context_length {
        Some(room) => prompt += &format!(", with room for {}", grouped(room)),
        None => prompt += "; the model was not loaded yet",
    }
    facts.push(prompt);
    facts.extend(sent_image_facts(receipt.images));
    let answered = receipt.answer_tokens.map(|tokens| {
        let mut words = format!("Wrote: {}", plural(tokens as usize, "token"));
        if let Some(ms) = receipt.answer_ms.filter(|ms| *ms > 0.0) {
            let speed = (tokens as f64 * 1000.0 / ms).round() as u64;
            words += &format!(", {} a second", grouped(speed));
        }
        words
    });
    facts.extend(answered);
    let first = receipt.first_token_ms.map(|ms| ms as f64);
    let times = [
        ("to the first token", first),
        ("loading", receipt.load_ms),
        ("reading", receipt.prompt_ms),
        ("writing", receipt.answer_ms),
    ];
    let times = times.into_iter();
    let times: Vec<_> = times
        .filter_map(|(what, ms)| Some(format!("{what} {}", seconds(ms?))))
        .collect();
    if !times.is_empty() {
        facts.push(format!("Time: {}", times.join(", ")));
    }
    facts.extend(
        receipt
            .think
            .map(|think| format!("Thinking: {}", think.name())),
    );
    let format = receipt.format.as_ref();
    facts.extend(format.map(|format| format!("Answer asked for: {}", format.name())));
    if !receipt.tools.is_empty() {
        facts.push(format!("Tools: {}", receipt.tools.join(", ")));
    }
    let options = receipt.options.as_ref();
    for (name, value) in options.and_then(|o| o.as_object()).into_iter().flatten() {
        facts.push(format!("Option {name}: {value}"));
    }
    facts
}

/// Milliseconds as seconds with one decimal digit.
fn seconds(ms: f64) -> String {
    match (ms / 100.0).round() as u64 {
        0 => "under 0.1 s".to_owned(),
        tenths => format!("{}.{} s", grouped(tenths / 10), tenths % 10),
    }
}
