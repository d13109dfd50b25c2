//! Calibrates the token estimate: for each model a running ratio of what it counted of its prompts to what the factors of
//! its tokenizer's family say.

use super::{Estimate, Size};
use serde::{Deserialize, Serialize};
use serde_with::DefaultOnError;
use std::ops::RangeInclusive;

/// The weight of the newest prompt in the ratio.
const NEWEST_WEIGHT: f64 = 1.0 / 3.0;
/// The largest ratio by which one prompt changes the estimate, so that an odd one does not dominate it.
const MAX_STEP_RATIO: f64 = 1.1;
/// A shorter prompt teaches nothing: the marks and the system prompt of the template decide its count.
const MIN_TOKENS: u64 = 30;
/// The bounds of the ratio. No vocabulary lies beyond them: an engine that counts less read the rest from its cache, and one
/// that counts more counted another prompt.
const RATIOS: RangeInclusive<f64> = 0.5..=3.0;

/// What a model counted of its prompts, relative to the estimate.
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The model's name.
    pub model: String,
    /// The tokenizer whose factors the ratio belongs to; empty while unknown.
    #[serde(default)]
    tokenizer: String,
    /// Counted tokens to estimated ones.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    ratio: Option<f64>,
}

impl Calibration {
    /// The calibration of a model that has counted no prompt yet.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            tokenizer: String::new(),
            ratio: None,
        }
    }

    /// Adds the count that a model with this tokenizer reported for a prompt. Returns whether the estimate changed: not
    /// if it was near enough, nor for a count that cannot be the size of that prompt.
    pub fn learn(&mut self, tokenizer: &str, size: Size, counted: u64) -> bool {
        let plain = Estimate::of_tokenizer(tokenizer);
        // The ratio to other factors says nothing about these.
        let former = match self.tokenizer == tokenizer {
            true => self.estimate(tokenizer),
            false => plain,
        };
        let newest = counted as f64 / plain.whole(size) as f64;
        let off = former.whole(size).abs_diff(counted);
        let is_near = off.saturating_mul(50) <= counted;
        if is_near || plain.whole(size) < MIN_TOKENS || !RATIOS.contains(&newest) {
            return false;
        }
        let step = 1.0 + (newest / former.ratio() - 1.0) * NEWEST_WEIGHT;
        let step = step.clamp(1.0 / MAX_STEP_RATIO, MAX_STEP_RATIO);
        tokenizer.clone_into(&mut self.tokenizer);
        self.ratio = Some(former.ratio() * step);
        true
    }

    /// The estimate for the model with this tokenizer, or with the one that it had when it last counted if `tokenizer` is
    /// empty: the models are not listed yet.
    #[must_use]
    pub fn estimate(&self, tokenizer: &str) -> Estimate {
        let known = match tokenizer {
            "" => &self.tokenizer,
            known => known,
        };
        let ratio = self.ratio.filter(|ratio| RATIOS.contains(ratio));
        let ratio = ratio.filter(|_| self.tokenizer == known);
        Estimate::of_tokenizer(known).times(ratio.unwrap_or(1.0))
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
                calibration.learn("", words(n), truth(words(n)));
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
        // A short prompt whose template adds a system prompt.
        assert!(!calibration.learn(TOKENIZER, words(1), 68));
        assert_eq!(calibration, Calibration::new("m"));
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
        let read: Calibration = serde_json::from_str(&text).unwrap();
        let guess = |calibration: &Calibration| calibration.estimate(TOKENIZER).whole(words(600));
        assert_eq!(guess(&read), guess(&calibration));
        assert_ne!(guess(&read), plain_of(words(600)));
        for old in [
            r#"{"model":"m","samples":[[40000,0,3,1],[40000,0,3,430],[1,2,3]]}"#,
            r#"{"model":"m","tokenizer":"qwen2","ratio":1e9,"prompts":7}"#,
            r#"{"model":"m","ratio":null}"#,
        ] {
            let read: Calibration = serde_json::from_str(old).unwrap();
            let plain = Estimate::of_tokenizer("qwen2");
            assert_eq!(read.estimate("qwen2"), plain, "{old}");
        }
    }
}
