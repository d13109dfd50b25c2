//! Measures of a model, by its prompts: how many there are, whether it writes two answers at once, and how fast it
//! reads. An engine that does not tell who waits is judged by them.

use sash_server::hooks::ModelPlace;
use sash_wire::Usage;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// Two answers that were both written for this long run together: the end of one and the beginning of the next may
/// arrive in either order.
const TOGETHER_TIME: Duration = Duration::from_secs(1);
/// The tokens in a millisecond of a model of which nothing is known: those of a large one on a slow processor.
const PRIOR_SPEED: f64 = 0.02;
/// The fewest tokens that say how fast a model reads, and the shortest time in milliseconds.
const LEAST_TOKENS: u64 = 100;
const LEAST_MS: f64 = 20.0;
/// The most models that are remembered.
const MAX_MODELS: usize = 256;

/// The models that were asked.
#[derive(Debug, Default)]
pub struct ModelTurns {
    models: HashMap<ModelPlace, SeenModel>,
    last_prompt: u64,
}

#[derive(Debug, Default)]
struct SeenModel {
    /// Its prompts that have not ended, and since when their answers are written.
    prompts: HashMap<u64, Option<Instant>>,
    /// Whether two of its answers were seen to run together.
    runs_together: bool,
    /// The slowest reading, in tokens a millisecond: what was in the engine's cache seems faster, and not every engine
    /// says how much was.
    slowest: Option<f64>,
}

impl ModelTurns {
    /// Records a prompt, and returns its number.
    pub fn begin(&mut self, model: &ModelPlace) -> u64 {
        self.last_prompt += 1;
        let prompt = self.last_prompt;
        self.entry(model).prompts.insert(prompt, None);
        prompt
    }

    fn entry(&mut self, model: &ModelPlace) -> &mut SeenModel {
        if self.models.len() >= MAX_MODELS && !self.models.contains_key(model) {
            self.models.retain(|_, seen| !seen.prompts.is_empty());
        }
        self.models.entry(model.clone()).or_default()
    }

    /// Records that text of an answer arrived.
    pub fn write(&mut self, model: &ModelPlace, prompt: u64, now: Instant) {
        let Some(seen) = self.models.get_mut(model) else {
            return;
        };
        if let Some(since) = seen.prompts.get_mut(&prompt) {
            since.get_or_insert(now);
        }
        let since = seen.prompts.values().flatten();
        let long = since.filter(|since| now - **since >= TOGETHER_TIME);
        seen.runs_together |= long.count() > 1;
    }

    /// Records that a prompt has ended.
    pub fn end(&mut self, model: &ModelPlace, prompt: u64) {
        if let Some(seen) = self.models.get_mut(model) {
            seen.prompts.remove(&prompt);
            if seen.prompts.is_empty() && !seen.runs_together && seen.slowest.is_none() {
                self.models.remove(model);
            }
        }
    }

    /// Records how long so many tokens took to read.
    pub fn record_reading(&mut self, model: &ModelPlace, tokens: u64, ms: f64) {
        if tokens < LEAST_TOKENS || ms < LEAST_MS {
            return;
        }
        let speed = tokens as f64 / ms;
        let slowest = &mut self.entry(model).slowest;
        *slowest = Some(slowest.map_or(speed, |slowest| slowest.min(speed)));
    }

    /// Records what the engine says of a prompt that was answered.
    pub fn record_usage(&mut self, model: &ModelPlace, usage: &Usage) {
        if let (Some(tokens), Some(ms)) = (usage.prompt_tokens, usage.prompt_ms) {
            let cached = usage.cached_tokens.unwrap_or_default();
            self.record_reading(model, tokens.saturating_sub(cached), ms);
        }
    }

    /// The prompts of a model that have not ended.
    pub fn prompts(&self, model: &ModelPlace) -> usize {
        self.models.get(model).map_or(0, |seen| seen.prompts.len())
    }

    /// Whether two answers of a model were seen to run together.
    pub fn run_together(&self, model: &ModelPlace) -> bool {
        self.models
            .get(model)
            .is_some_and(|seen| seen.runs_together)
    }

    /// How long a model takes to read so many tokens.
    pub fn reading_time(&self, model: &ModelPlace, tokens: u64) -> Duration {
        let speed = self.models.get(model).and_then(|seen| seen.slowest);
        Duration::from_secs_f64(tokens as f64 / speed.unwrap_or(PRIOR_SPEED) / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str) -> ModelPlace {
        ModelPlace {
            engine: "box".to_owned(),
            model: name.to_owned(),
        }
    }

    fn usage(tokens: u64, cached: Option<u64>, ms: f64) -> Usage {
        Usage {
            prompt_tokens: Some(tokens),
            cached_tokens: cached,
            prompt_ms: Some(ms),
            ..Usage::default()
        }
    }

    #[test]
    fn only_answers_that_are_both_written_for_a_while_run_together() {
        let (mut turns, model) = (ModelTurns::default(), model("m"));
        let begun = Instant::now();
        let at = |ms: u64| begun + Duration::from_millis(ms);
        assert_eq!((turns.begin(&model), turns.begin(&model)), (1, 2));
        turns.write(&model, 1, at(0));
        turns.write(&model, 1, at(5000));
        // The next one begins before the end of the first was read.
        turns.write(&model, 2, at(5001));
        turns.write(&model, 1, at(5002));
        turns.end(&model, 1);
        turns.write(&model, 2, at(9000));
        assert!(!turns.run_together(&model));
        turns.begin(&model);
        turns.write(&model, 3, at(9000));
        turns.write(&model, 2, at(9990));
        assert!(!turns.run_together(&model));
        turns.write(&model, 2, at(10_000));
        assert!(turns.run_together(&model));
        assert_eq!(turns.prompts(&model), 2);
    }

    #[test]
    fn the_slowest_reading_counts_and_without_one_a_cautious_guess() {
        let (mut turns, model) = (ModelTurns::default(), model("m"));
        turns.begin(&model);
        let time = |turns: &ModelTurns| turns.reading_time(&model, 1000).as_secs_f64();
        assert_eq!(time(&turns), 50.0);
        for (read, seconds) in [
            (usage(50, None, 1000.0), 50.0),
            (usage(4000, None, 400.0), 0.1),
            (usage(4000, None, 40_000.0), 10.0),
            (usage(4000, None, 400.0), 10.0),
            (usage(4000, Some(3000), 20_000.0), 20.0),
        ] {
            turns.record_usage(&model, &read);
            assert_eq!(time(&turns), seconds, "{read:?}");
        }
    }

    #[test]
    fn models_without_number_are_not_remembered() {
        let mut turns = ModelTurns::default();
        for number in 0..2000 {
            let model = model(&number.to_string());
            let prompt = turns.begin(&model);
            if number % 2 == 0 {
                turns.record_reading(&model, 1000, 100.0);
            }
            turns.end(&model, prompt);
        }
        assert!(turns.models.len() <= MAX_MODELS, "{}", turns.models.len());
    }
}
