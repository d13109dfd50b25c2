//! The speed at which a model reads prompts: it tells how long a prompt takes where an engine does not say how far it is.

use reactive_graph::signal::RwSignal;
use reactive_graph::traits::{Update, With};
use sash_chat::ModelId;
use sash_wire::Usage;
use std::collections::{BTreeMap, VecDeque};

/// How many answers count.
const ANSWERS: usize = 5;
/// The fewest tokens that count: a short read says more of the engine than of its speed.
const MIN_TOKENS: u64 = 100;
/// The shortest time that counts, in milliseconds.
const MIN_TIME_MS: f64 = 20.0;

/// The tokens that a model reads in a millisecond.
#[derive(Clone, Debug, Default)]
pub struct ReadingSpeed {
    /// By its last long read ahead, of which it is known what was new.
    by_read: Option<f64>,
    /// By its last answers. Ollama does not say what of their prompts was in its cache, so they may seem faster than
    /// they were.
    by_answers: VecDeque<f64>,
}

impl ReadingSpeed {
    /// Records how long so many tokens took that were read ahead and not in the cache.
    pub fn record_read(&mut self, tokens: u64, ms: f64) {
        self.by_read = speed(tokens, ms).or(self.by_read);
    }

    /// Records how long the prompt of an answer took, if its engine told it. What stood in the engine's cache was not
    /// read.
    pub fn record_answer(&mut self, usage: &Usage) {
        let (Some(tokens), Some(ms)) = (usage.prompt_tokens, usage.prompt_ms) else {
            return;
        };
        let new = tokens.saturating_sub(usage.cached_tokens.unwrap_or_default());
        self.by_answers.extend(speed(new, ms));
        if self.by_answers.len() > ANSWERS {
            self.by_answers.pop_front();
        }
    }

    /// By reads ahead alone: how many tokens it reads in so many milliseconds.
    pub fn tokens_in(&self, ms: f64) -> Option<u64> {
        self.by_read.map(|speed| (speed * ms).ceil() as u64)
    }

    /// About how many milliseconds so many tokens take: by the last read ahead, else by the median of the last answers.
    pub fn ms_for(&self, tokens: u64) -> Option<u64> {
        let by_answers = || {
            let mut speeds: Vec<f64> = self.by_answers.iter().copied().collect();
            speeds.sort_by(f64::total_cmp);
            speeds.get(speeds.len() / 2).copied()
        };
        let speed = self.by_read.or_else(by_answers)?;
        Some((tokens as f64 / speed) as u64)
    }
}

/// How fast each model reads since the page was loaded, by the model's key.
#[derive(Clone, Copy, Default)]
pub struct ReadingSpeeds(RwSignal<BTreeMap<String, ReadingSpeed>>);

impl ReadingSpeeds {
    /// Reads what is known of a model; the default of one that read nothing.
    pub fn with<T>(self, model: &ModelId, read: impl FnOnce(&ReadingSpeed) -> T) -> T {
        let none = ReadingSpeed::default();
        self.0
            .with(|all| read(all.get(&*model.key()).unwrap_or(&none)))
    }

    /// Records what is new of a model.
    pub fn change(self, model: &ModelId, change: impl FnOnce(&mut ReadingSpeed)) {
        let key = model.key().into_owned();
        self.0.update(|all| change(all.entry(key).or_default()));
    }
}

fn speed(tokens: u64, ms: f64) -> Option<f64> {
    (tokens >= MIN_TOKENS && ms >= MIN_TIME_MS).then_some(tokens as f64 / ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(prompt: u64, cached: Option<u64>, ms: f64) -> Usage {
        Usage {
            prompt_tokens: Some(prompt),
            cached_tokens: cached,
            prompt_ms: Some(ms),
            ..Usage::default()
        }
    }

    #[test]
    fn a_read_ahead_is_believed_before_answers_whose_cache_nobody_tells() {
        let mut speed = ReadingSpeed::default();
        assert_eq!(speed.ms_for(1000), None);
        // Ollama counts 1,400 tokens, of which it read a hundred.
        speed.record_answer(&answer(1400, None, 100.0));
        assert_eq!(speed.ms_for(1400), Some(100));
        assert_eq!(speed.tokens_in(100.0), None);
        speed.record_read(1000, 1000.0);
        assert_eq!(
            (speed.ms_for(1400), speed.tokens_in(99.5)),
            (Some(1400), Some(100))
        );
        speed.record_read(20, 1000.0);
        assert_eq!(speed.ms_for(1400), Some(1400), "too short to tell");
    }

    #[test]
    fn the_median_of_the_last_answers_counts_without_what_was_in_the_cache() {
        let mut speed = ReadingSpeed::default();
        for _ in 0..3 {
            speed.record_answer(&answer(5000, None, 50.0));
        }
        for _ in 0..3 {
            speed.record_answer(&answer(1400, Some(400), 1000.0));
        }
        speed.record_answer(&answer(1400, Some(1390), 100.0));
        assert_eq!(speed.ms_for(1000), Some(1000));
    }
}
