//! Calibrates the token estimate: one running ratio for each model, of what it counted of its prompts to what the
//! factors of its tokenizer's family say.

use super::{Estimate, Size};
use serde::{Deserialize, Serialize};

/// The weight of the factors in the ratio, in prompts.
const PRIOR_PROMPTS: u32 = 1;
/// The number of prompts from which on each new one has the same weight, so that the ratio follows what is talked
/// about.
const MAX_PROMPTS: u32 = 3;
/// A prompt of this many tokens has half the weight of a long one: in a short one the marks and the system prompt
/// of the template decide the count.
const HALF_WEIGHT_TOKENS: f64 = 40.0;
/// The largest ratio by which one prompt changes the estimate, so that an odd one does not dominate it.
const MAX_STEP_RATIO: f64 = 1.1;
/// The bounds of the running ratio, whatever the engine reports. No vocabulary lies beyond them.
const MIN_RATIO: f64 = 0.5;
const MAX_RATIO: f64 = 3.0;
/// Tokens that a template may add to a request: some include a system prompt. A short prompt may exceed
/// `MAX_RATIO` by this much and still be counted correctly.
const TEMPLATE_TOKENS: f64 = 120.0;
/// The stored ratio has four decimal places.
const RATIO_SCALE: f64 = 10_000.0;

/// What a model counted of its prompts, relative to the estimate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredCalibration")]
pub struct Calibration {
    /// The model's name.
    pub model: String,
    /// The tokenizer whose factors the ratio belongs to; empty while unknown.
    tokenizer: String,
    /// Counted tokens to estimated ones.
    ratio: f64,
    /// The number of counted prompts, at most [`MAX_PROMPTS`].
    prompts: u32,
}

/// A calibration as stored in the settings. An earlier version stored counts without a ratio; these are not read.
#[derive(Deserialize)]
struct StoredCalibration {
    model: String,
    #[serde(default)]
    tokenizer: String,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    prompts: u32,
}

impl Calibration {
    /// The calibration of a model that has counted no prompt yet.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ratio: 1.0,
            ..Self::default()
        }
    }

    /// Adds the count that a model with this tokenizer reported for a prompt. Returns false for a count that cannot
    /// be the size of that prompt and is ignored.
    pub fn learn(&mut self, tokenizer: &str, size: Size, counted: u64) -> bool {
        if !is_plausible(tokenizer, size, counted) {
            return false;
        }
        // The ratio to other factors says nothing about these.
        if self.tokenizer != tokenizer {
            *self = Self {
                tokenizer: tokenizer.to_owned(),
                ..Self::new(&self.model)
            };
        }
        let guessed = self.estimate(tokenizer).whole(size) as f64;
        let weight = guessed / (guessed + HALF_WEIGHT_TOKENS);
        let share = weight / f64::from(self.prompts + PRIOR_PROMPTS + 1);
        let step = 1.0 + (counted as f64 / guessed - 1.0) * share;
        let step = step.clamp(1.0 / MAX_STEP_RATIO, MAX_STEP_RATIO);
        let ratio = (self.ratio * step).clamp(MIN_RATIO, MAX_RATIO);
        self.ratio = (ratio * RATIO_SCALE).round() / RATIO_SCALE;
        self.prompts = (self.prompts + 1).min(MAX_PROMPTS);
        true
    }

    /// Whether a count should be added: there are few so far, or the estimate was off by more than 3 %.
    #[must_use]
    pub fn is_informative(&self, guessed: u64, counted: u64) -> bool {
        self.prompts < MAX_PROMPTS || guessed.abs_diff(counted) * 33 > counted
    }

    /// The estimate for the model with this tokenizer, or with the one that it had when it last counted if `tokenizer` is
    /// empty: the models are not listed yet.
    #[must_use]
    pub fn estimate(&self, tokenizer: &str) -> Estimate {
        let known = match tokenizer {
            "" => &self.tokenizer,
            known => known,
        };
        let estimate = Estimate::of_tokenizer(known);
        match self.tokenizer == known {
            true => estimate.times(self.ratio),
            false => estimate,
        }
    }
}

/// Whether a prompt can have as many tokens as were counted. An engine that counts only the tokens it read
/// anew (the rest was cached) reports fewer; a count above the bound belongs to another prompt.
fn is_plausible(tokenizer: &str, size: Size, counted: u64) -> bool {
    let plain = Estimate::of_tokenizer(tokenizer).whole(size) as f64;
    let counted = counted as f64;
    let most = plain * MAX_RATIO + TEMPLATE_TOKENS;
    size.messages() > 0 && counted >= plain * MIN_RATIO && counted <= most
}

impl From<StoredCalibration> for Calibration {
    fn from(stored: StoredCalibration) -> Self {
        let new = Self::new(&stored.model);
        match stored.ratio {
            Some(ratio) if (MIN_RATIO..=MAX_RATIO).contains(&ratio) => Self {
                tokenizer: stored.tokenizer,
                ratio,
                prompts: stored.prompts.min(MAX_PROMPTS),
                ..new
            },
            _ => new,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENIZER: &str = "llama-bpe";

    /// A prompt of this many words.
    fn words(n: usize) -> Size {
        Size::of(&"window ".repeat(n))
    }

    fn plain_of(size: Size) -> u64 {
        Estimate::of_tokenizer(TOKENIZER).whole(size)
    }

    /// Sizes of chats: from a word to a book.
    const SIZES: [usize; 6] = [1, 20, 90, 600, 4_000, 90_000];

    #[test]
    fn without_a_count_it_is_the_plain_estimate() {
        let estimate = Calibration::new("m").estimate(TOKENIZER);
        assert_eq!(estimate, Estimate::of_tokenizer(TOKENIZER));
        assert_eq!(Calibration::new("m").estimate(""), Estimate::default());
    }

    #[test]
    fn three_counts_bring_an_unknown_vocabulary_within_a_tenth() {
        for off in [0.8, 0.9, 1.0, 1.2, 1.3] {
            let mut calibration = Calibration::new("m");
            let truth = |size| (Estimate::default().whole(size) as f64 * off).round() as u64;
            for n in [300, 420, 700] {
                assert!(calibration.learn("", words(n), truth(words(n))));
            }
            let guess = calibration.estimate("").whole(words(600));
            let truth = truth(words(600));
            assert!(
                guess.abs_diff(truth) * 10 <= truth,
                "{off}: {guess} for {truth}"
            );
        }
    }

    #[test]
    fn one_odd_prompt_moves_the_estimate_by_a_tenth_at_most() {
        let sizes = SIZES.map(words);
        for before in 0..8 {
            let mut calibration = Calibration::new("m");
            for n in 0..before {
                calibration.learn(TOKENIZER, words(90 + n), plain_of(words(90 + n)) * 6 / 5);
            }
            for odd in [0.5, 0.6, 1.8, 3.0] {
                let mut calibration = calibration.clone();
                let was = calibration.estimate(TOKENIZER);
                let counted = (plain_of(words(4_000)) as f64 * odd) as u64;
                assert!(calibration.learn(TOKENIZER, words(4_000), counted));
                for size in sizes {
                    let (was, now) = (was.whole(size), calibration.estimate(TOKENIZER).whole(size));
                    let moved = was.abs_diff(now) as f64;
                    assert!(moved <= was as f64 * 0.1001 + 1.0, "{was} became {now}");
                }
            }
        }
    }

    /// Regression: an estimate of about zero tokens once let a request that overflowed the context be sent
    /// without a warning.
    #[test]
    fn whatever_an_engine_counts_the_estimate_stays_within_half_and_three_times_the_plain_one() {
        /// What an engine reports for its n-th prompt, whose uncalibrated estimate is the second argument.
        type Count = fn(u64, u64) -> u64;
        let counts: [(&str, Count); 6] = [
            ("a constant", |_, _| 16),
            ("a large constant", |_, _| 5_000),
            ("most of it from its cache", |n, plain| plain / (n + 1)),
            ("nothing", |_, _| 0),
            ("far too much", |_, plain| plain * 40),
            ("the largest number", |_, _| u64::MAX),
        ];
        let sizes = SIZES.map(words);
        for (what, count) in counts {
            let mut calibration = Calibration::new("m");
            for n in 0..30 {
                let prompt = words(5 + n * 30);
                calibration.learn(TOKENIZER, prompt, count(n as u64, plain_of(prompt)));
                let estimate = calibration.estimate(TOKENIZER);
                for size in sizes {
                    let (guess, plain) = (estimate.whole(size), plain_of(size));
                    assert!(
                        guess * 2 + 1 >= plain && guess <= plain * 3 + 1,
                        "{what}, {n}: {guess} for {plain}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_count_that_cannot_be_teaches_nothing() {
        let mut calibration = Calibration::new("m");
        for counted in [0, 1, 16, 150, 5_000, u64::MAX] {
            assert!(
                !calibration.learn(TOKENIZER, words(400), counted),
                "{counted}"
            );
        }
        assert!(!calibration.learn(TOKENIZER, Size::of_part("window"), 10));
        assert_eq!(calibration, Calibration::new("m"));
        // A short prompt whose template adds a system prompt.
        assert!(calibration.learn(TOKENIZER, words(1), 68));
    }

    #[test]
    fn what_was_counted_with_other_factors_is_dropped() {
        let mut calibration = Calibration::new("m");
        calibration.learn("", words(300), Estimate::default().whole(words(300)) * 2);
        assert_ne!(calibration.estimate(""), Estimate::default());
        let plain = Estimate::of_tokenizer(TOKENIZER);
        assert_eq!(calibration.estimate(TOKENIZER), plain);
        calibration.learn(TOKENIZER, words(300), plain.whole(words(300)) * 2);
        assert_ne!(calibration.estimate(TOKENIZER), plain);
        assert_eq!(calibration.estimate(""), calibration.estimate(TOKENIZER));
    }

    #[test]
    fn it_is_read_as_it_was_written_and_older_counts_are_left_behind() {
        let mut calibration = Calibration::new("m");
        for n in 1..=20 {
            calibration.learn(TOKENIZER, words(n * 10), n as u64 * 12);
        }
        let text = serde_json::to_string(&calibration).unwrap();
        assert_eq!(
            serde_json::from_str::<Calibration>(&text).unwrap(),
            calibration
        );
        for old in [
            r#"{"model":"m","samples":[[40000,0,3,1],[40000,0,3,430],[1,2,3]]}"#,
            r#"{"model":"m","tokenizer":"qwen2","ratio":1e9,"prompts":7}"#,
            r#"{"model":"m","ratio":null}"#,
        ] {
            let read: Calibration = serde_json::from_str(old).unwrap();
            assert_eq!(read, Calibration::new("m"), "{old}");
        }
    }
}
