//! The facts of a request and its answer, one per line.

use crate::files::sent_image_facts;
use sash_chat::{ChatSettings, FromFolder, Receipt, receipt_policy_phrase};
use sash_stores::EngineStore;
use sash_words::{
    count::{self, grouped},
    t,
};

/// The model, and the part of its digest that `ollama list` shows.
fn model_words(receipt: &Receipt, engines: EngineStore) -> Option<String> {
    const SHOWN_DIGITS: usize = 12;
    let asked = receipt.model.as_ref()?;
    let mut words = match &receipt.answered_by {
        Some(answered) => t!(
            page.other_model_answered,
            answered = &answered,
            asked = &asked
        ),
        None => t!(page.model, asked = &asked),
    };
    let engine = engines.shown_name_of(receipt);
    if let Some(engine) = engine.or_else(|| receipt.engine.clone()) {
        words += &t!(page.engine, engine = &engine);
    }
    if let Some(digest) = &receipt.digest {
        let digits: String = digest.chars().take(SHOWN_DIGITS).collect();
        words += &t!(page.digest, digits = &digits);
    }
    Some(words)
}

/// Model, policy, tokens, options and times, one per line, of an answer that read `sent` messages with its prompt.
/// Where there are several engines, its own is named.
pub fn facts_of(receipt: &Receipt, sent: usize, engines: EngineStore) -> Vec<String> {
    let rule = receipt_policy_phrase(receipt.policy, sent);
    let engine = engines.title(receipt.engine.as_deref());
    let mut facts: Vec<String> = model_words(receipt, engines).into_iter().collect();
    facts.push(t!(page.rule, rule = &rule));
    facts.extend(receipt.from_folder.as_ref().map(FromFolder::sentence));
    let guess = grouped(receipt.prompt_tokens.estimated);
    let mut prompt = match receipt.prompt_tokens.counted {
        Some(counted) => t!(
            page.read_counted,
            counted = grouped(counted),
            engine = &engine,
            guess = &guess
        ),
        None => t!(page.read_estimated, guess = &guess),
    };
    match receipt.context_length {
        Some(room) => prompt += &t!(page.room, room = grouped(room)),
        None => prompt += t!(page.model_not_loaded_yet),
    }
    facts.push(prompt);
    facts.extend(read_before_words(receipt));
    facts.extend(sent_image_facts(receipt.images));
    let answered = receipt.answer_tokens.map(|tokens| {
        let mut words = t!(page.wrote, tokens = count::tokens(tokens as usize));
        if let Some(ms) = receipt.answer_ms.filter(|ms| *ms > 0.0) {
            let speed = (tokens as f64 * 1000.0 / ms).round() as u64;
            words += &t!(page.per_second, speed = grouped(speed));
        }
        words
    });
    facts.extend(answered);
    let first = receipt.first_token_ms.map(|ms| ms as f64);
    let times = [
        (t!(page.first_token_time), first),
        (t!(page.loading), receipt.load_ms),
        (t!(page.reading), receipt.prompt_ms),
        (t!(page.writing), receipt.answer_ms),
    ];
    let times = times.into_iter();
    let times: Vec<_> = times
        .filter_map(|(what, ms)| Some(format!("{what} {}", seconds(ms?))))
        .collect();
    if !times.is_empty() {
        facts.push(t!(page.time, list = times.join(", ")));
    }
    let of_settings = ChatSettings::ROWS.iter().map(|row| (row.facts)(receipt));
    facts.extend(of_settings.flatten());
    facts
}

/// How much of the prompt the model had read before it was sent; `None` where it is not known, or nothing.
fn read_before_words(receipt: &Receipt) -> Option<String> {
    let before = receipt.read_ahead.filter(|before| before.tokens > 0)?;
    let counted = receipt.prompt_tokens.counted;
    let total = counted.unwrap_or(receipt.prompt_tokens.estimated);
    // Receipts of before may say more than there is.
    let tokens = grouped(before.tokens.min(total));
    let total = grouped(total);
    Some(match before.estimated {
        true => t!(page.about_read_ahead, tokens = &tokens, total = &total),
        false => t!(page.read_ahead, tokens = &tokens, total = &total),
    })
}

/// Milliseconds as seconds with one decimal digit.
pub fn seconds(ms: f64) -> String {
    match (ms / 100.0).round() as u64 {
        0 => t!(page.under_tenth_second).to_owned(),
        tenths => format!("{} s", count::tenths(tenths)),
    }
}
