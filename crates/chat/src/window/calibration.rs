//! Calibrates the token estimate: fits it, per model, to the token counts that Ollama reported for past
//! prompts.

use super::Size;
use serde::{Deserialize, Serialize};
use serde_with::{VecSkipError, serde_as};

/// The number of past prompts that are kept.
const MAX_SAMPLES: usize = 12;
const FACTORS: usize = 4;
/// The prior of the four factors: tokens per estimated token, per repeated blank, per message (`ChatML` needs
/// 4 to 6) and per request (a start mark, the mark that asks for an answer, the system prompt of some
/// templates). The weights are relative to one prompt counted to 3 %.
const PRIOR_MEAN: [f64; FACTORS] = [1.0, 0.0, 5.0, 3.0];
const PRIOR_WEIGHT: [f64; FACTORS] = [0.008, 0.000_5, 0.000_1, 0.000_004];
/// The bounds of each factor. No vocabulary or template lies beyond them; an engine that counts only the
/// tokens it read anew, or always reports the same number, would push the fit there.
const BOUNDS: [(f64, f64); FACTORS] = [(0.5, 3.0), (0.0, 1.5), (0.0, 20.0), (0.0, 120.0)];
/// The weight of a prompt relative to the one after it.
const AGE_DECAY: f64 = 0.8;
/// The bounds of a whole estimate, relative to the uncalibrated one, whatever the engine reported.
const MIN_RATIO: f64 = 0.5;
const MAX_RATIO: f64 = 3.0;
/// Tokens that a template may add to a request: some include a system prompt. A short prompt may exceed
/// `MAX_RATIO` by this much and still be counted correctly.
const TEMPLATE_TOKENS: u64 = 120;
/// The largest ratio by which one more prompt may change the estimate, so that a single outlier does not
/// dominate it.
const MAX_STEP_RATIO: f64 = 1.36;
/// A count that deviates from the median by this ratio gets half the weight; a larger deviation gets less.
const OUTLIER_RATIO: f64 = 1.15;
/// A deviation of up to this many tokens is not an outlier: marks and small system prompts cause as much.
const OUTLIER_SLACK_TOKENS: f64 = 30.0;

/// The token counts reported for a model, and the estimate fitted to them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredCalibration")]
pub struct Calibration {
    /// The model's name.
    pub model: String,
    samples: Vec<Sample>,
}

/// A calibration as stored in the settings.
#[serde_as]
#[derive(Deserialize)]
struct StoredCalibration {
    model: String,
    #[serde_as(as = "VecSkipError<_>")]
    samples: Vec<Sample>,
}

/// One counted prompt: its units, blanks, messages and counted tokens. An array, because a compact form is
/// written often.
type Sample = [u64; FACTORS];

impl Calibration {
    /// The calibration of a model that has counted no prompt yet.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            samples: Vec::new(),
        }
    }

    /// Adds the count reported for a prompt. Returns false for a count that cannot be the size of that prompt
    /// and is ignored.
    pub fn learn(&mut self, size: Size, counted: u64) -> bool {
        let sample = [size.units, size.blanks, size.messages, counted];
        let can_be = is_plausible(&sample);
        if can_be {
            if self.samples.len() == MAX_SAMPLES {
                self.samples.remove(0);
            }
            self.samples.push(sample);
        }
        can_be
    }

    /// Whether a count should be added: there are few samples so far, or the estimate was off by more than 3
    /// %.
    #[must_use]
    pub fn is_informative(&self, guessed: u64, counted: u64) -> bool {
        self.samples.len() < MAX_SAMPLES / 2 || guessed.abs_diff(counted) * 33 > counted
    }

    /// The number of samples.
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// The estimate fitted to the samples.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let mut estimate = Estimate::default();
        for (n, fit) in estimate.fits.iter_mut().enumerate() {
            let Some(samples) = self.samples.get(..=n) else {
                break;
            };
            *fit = fitted(samples);
            estimate.prompts = n + 1;
        }
        estimate
    }
}

/// Least squares of the relative error with the prior as regularization (ridge regression). Samples far from
/// the median get little weight, so that no single prompt dominates.
fn fitted(samples: &[Sample]) -> [f64; FACTORS] {
    let median_ratio = median_ratio(samples);
    let mut rows = [[0.0; FACTORS + 1]; FACTORS];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = PRIOR_WEIGHT[i];
        row[FACTORS] = PRIOR_WEIGHT[i] * PRIOR_MEAN[i];
    }
    let mut age = 1.0;
    for sample in samples.iter().rev() {
        let [units, blanks, messages, counted] = sample.map(|n| n as f64);
        let weight = age * outlier_weight(counted, median_ratio * uncalibrated(sample));
        let x = [units / 100.0, blanks, messages, 1.0].map(|x| x / counted);
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, xj) in x.iter().enumerate() {
                row[j] += weight * x[i] * xj;
            }
            row[FACTORS] += weight * x[i];
        }
        age *= AGE_DECAY;
    }
    solve_bounded(rows)
}

/// The median ratio of counted to uncalibrated tokens; the prior's ratio of 1 is one of the values.
fn median_ratio(samples: &[Sample]) -> f64 {
    let mut ratios = vec![1.0];
    for sample in samples {
        let ratio = sample[FACTORS - 1] as f64 / uncalibrated(sample);
        // Insertion by hand: the library's sort would add kilobytes to the page.
        let at = ratios.iter().position(|other| ratio < *other);
        ratios.insert(at.unwrap_or(ratios.len()), ratio);
    }
    let half = ratios.len() / 2;
    match ratios.len() % 2 {
        0 => f64::midpoint(ratios[half - 1], ratios[half]),
        _ => ratios[half],
    }
}

/// The uncalibrated estimate of a counted prompt.
fn uncalibrated([units, blanks, messages, _]: &Sample) -> f64 {
    let size = Size {
        units: *units,
        blanks: *blanks,
        messages: *messages,
    };
    Estimate::default().whole(size) as f64
}

/// Whether a prompt can have as many tokens as were counted. An engine that counts only the tokens it read
/// anew (the rest was cached) reports fewer; a count above the bound belongs to another prompt.
fn is_plausible(sample: &Sample) -> bool {
    let [_, _, messages, counted] = *sample;
    let plain = uncalibrated(sample);
    let most = plain * MAX_RATIO + TEMPLATE_TOKENS as f64;
    let counted = counted as f64;
    messages > 0 && counted >= plain * MIN_RATIO && counted <= most
}

/// The weight of a count, given what the median predicts for it.
fn outlier_weight(counted: f64, expected: f64) -> f64 {
    let off = (counted - expected).abs() - OUTLIER_SLACK_TOKENS;
    if off <= 0.0 {
        return 1.0;
    }
    let nearer = match counted > expected {
        true => counted - OUTLIER_SLACK_TOKENS,
        false => counted + OUTLIER_SLACK_TOKENS,
    };
    let odd = (nearer / expected).ln() / OUTLIER_RATIO.ln();
    1.0 / (1.0 + odd * odd)
}

/// Converts a [`Size`] to tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The factors fitted after each counted prompt: tokens per estimated token, repeated blank, message and
    /// request. Each fit changes the result of the previous one by at most [`MAX_STEP_RATIO`].
    fits: [[f64; FACTORS]; MAX_SAMPLES],
    /// The number of fits in use.
    prompts: usize,
}

impl Default for Estimate {
    fn default() -> Self {
        Self {
            fits: [PRIOR_MEAN; MAX_SAMPLES],
            prompts: 0,
        }
    }
}

impl Estimate {
    /// Tokens of one part of a request, including the marks that the template puts around it.
    #[must_use]
    pub fn part(&self, size: Size) -> u64 {
        self.of(size, 0.0)
    }

    /// Tokens of a whole request.
    #[must_use]
    pub fn whole(&self, size: Size) -> u64 {
        self.of(size, 1.0)
    }

    fn of(&self, size: Size, around: f64) -> u64 {
        let counts = [
            size.units as f64 / 100.0,
            size.blanks as f64,
            size.messages as f64,
            around,
        ];
        let sum =
            |per: &[f64; FACTORS]| per.iter().zip(counts).map(|(per, n)| per * n).sum::<f64>();
        let plain = sum(&PRIOR_MEAN);
        let mut tokens = plain;
        for fit in self.fits.iter().take(self.prompts) {
            let (least, most) = (tokens / MAX_STEP_RATIO, tokens * MAX_STEP_RATIO);
            tokens = sum(fit).max(least).min(most);
        }
        let bounded = tokens.max(plain * MIN_RATIO);
        bounded.min(plain * MAX_RATIO).round() as u64
    }
}

/// The solution within [`BOUNDS`]: the factor that is furthest outside is fixed at its bound, then the others
/// are solved again.
fn solve_bounded(mut rows: [[f64; FACTORS + 1]; FACTORS]) -> [f64; FACTORS] {
    for _ in 0..FACTORS {
        let Some(solution) = solve(rows) else {
            break;
        };
        let bounded = |i: usize| solution[i].max(BOUNDS[i].0).min(BOUNDS[i].1);
        let off = |i: usize| (solution[i] - bounded(i)).abs() / BOUNDS[i].1;
        let mut worst = 0;
        for i in 1..FACTORS {
            if off(i) > off(worst) {
                worst = i;
            }
        }
        if off(worst) == 0.0 {
            return solution;
        }
        rows[worst] = [0.0; FACTORS + 1];
        rows[worst][worst] = 1.0;
        rows[worst][FACTORS] = bounded(worst);
    }
    PRIOR_MEAN
}

/// Gaussian elimination; `None` for a singular system.
fn solve(mut rows: [[f64; FACTORS + 1]; FACTORS]) -> Option<[f64; FACTORS]> {
    for i in 0..FACTORS {
        // The diagonal is positive: the rows are those of a sum of squares, or of a fixed factor.
        if rows[i][i] < 1e-12 {
            return None;
        }
        let pivot = rows[i];
        for (j, row) in rows.iter_mut().enumerate() {
            if j != i {
                let factor = row[i] / pivot[i];
                for (value, above) in row.iter_mut().zip(pivot) {
                    *value -= factor * above;
                }
            }
        }
    }
    let mut solution = PRIOR_MEAN;
    for (i, value) in solution.iter_mut().enumerate() {
        *value = rows[i][FACTORS] / rows[i][i];
    }
    Some(solution)
}

impl From<StoredCalibration> for Calibration {
    fn from(StoredCalibration { model, mut samples }: StoredCalibration) -> Self {
        // An earlier version stored samples that `learn` refuses now.
        samples.retain(is_plausible);
        Self { model, samples }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(units: u64, messages: u64) -> Size {
        Size {
            units,
            messages,
            blanks: 0,
        }
    }

    #[test]
    fn without_a_count_it_is_the_plain_estimate() {
        let estimate = Calibration::new("m").estimate();
        assert_eq!(estimate.whole(size(10_000, 4)), 100 + 20 + 3);
        assert_eq!(estimate, Estimate::default());
    }

    #[test]
    fn three_answers_are_enough_for_any_vocabulary_and_template() {
        for text in [0.6, 1.0, 1.7, 2.4] {
            for message in [0, 4, 9] {
                for around in [0, 1, 25] {
                    let truth = |s: Size| {
                        (s.units as f64 / 100.0 * text) as u64 + s.messages * message + around
                    };
                    let mut calibration = Calibration::new("m");
                    for s in [size(3_000, 1), size(42_000, 3), size(71_000, 4)] {
                        calibration.learn(s, truth(s));
                    }
                    for s in [size(2_000, 1), size(60_000, 4), size(400_000, 20)] {
                        let (guess, truth) = (calibration.estimate().whole(s), truth(s));
                        // In a prompt of a few dozen tokens, a tenth is less than the marks around two
                        // messages.
                        let off = guess.abs_diff(truth);
                        let allowed = (truth / 10).max(15);
                        assert!(
                            off <= allowed,
                            "{guess} for {truth}: {text} {message} {around}"
                        );
                    }
                }
            }
        }
    }

    fn plain_of(size: Size) -> u64 {
        Estimate::default().whole(size)
    }

    /// Sizes of chats: from a word to a book.
    const SIZES: [(u64, u64); 6] = [
        (100, 1),
        (2_000, 1),
        (9_000, 2),
        (60_000, 4),
        (400_000, 20),
        (9_000_000, 400),
    ];

    /// Regression: an estimate of about zero tokens once let a request that overflowed the context be sent
    /// without a warning.
    #[test]
    fn whatever_an_engine_counts_the_estimate_stays_within_half_and_three_times_the_plain_one() {
        /// What an engine reports for its n-th prompt, whose uncalibrated estimate is the second argument.
        type Count = fn(u64, u64) -> u64;
        let counts: [(&str, Count); 7] = [
            ("a constant", |_, _| 16),
            ("a large constant", |_, _| 5_000),
            (
                "what it read anew",
                |n, plain| {
                    if n == 0 { plain } else { 20 }
                },
            ),
            ("most of it from its cache", |n, plain| plain / (n + 1)),
            ("nothing", |_, _| 0),
            ("far too much", |_, plain| plain * 40),
            ("the largest number", |_, _| u64::MAX),
        ];
        for (what, count) in counts {
            let mut calibration = Calibration::new("m");
            for n in 0..30 {
                let prompt = size(500 + n * 3_000, 1 + n);
                calibration.learn(prompt, count(n, plain_of(prompt)));
                let estimate = calibration.estimate();
                for s in SIZES.map(|(units, messages)| size(units, messages)) {
                    let (guess, plain) = (estimate.whole(s), plain_of(s));
                    assert!(
                        guess * 2 + 1 >= plain && guess <= plain * 3 + 1,
                        "{what}, {n}: {guess} for {plain}"
                    );
                    let (part, plain) = (estimate.part(s), Estimate::default().part(s));
                    assert!(part * 2 + 1 >= plain && part <= plain * 3 + 1, "{what}");
                }
            }
        }
    }

    #[test]
    fn a_count_that_cannot_be_teaches_nothing() {
        let mut calibration = Calibration::new("m");
        let prompt = size(40_000, 3);
        for counted in [0, 1, 16, 200, 1_500, u64::MAX] {
            assert!(!calibration.learn(prompt, counted), "{counted}");
        }
        assert_eq!(calibration.sample_count(), 0);
        assert!(!calibration.learn(size(1_000, 0), 10));
        // A short prompt whose template adds a system prompt.
        assert!(calibration.learn(size(95, 1), 68));
        assert!(calibration.learn(prompt, 600));
    }

    #[test]
    fn what_an_older_sash_believed_and_cannot_be_is_left_behind() {
        let kept = r#"{"model":"m","samples":[[40000,0,3,1],[40000,0,3,430],[1,2,3]]}"#;
        let calibration: Calibration = serde_json::from_str(kept).unwrap();
        assert_eq!(calibration.sample_count(), 1);
    }

    /// Counts of one vocabulary, each off by a few per cent, with one outlier among them or at the beginning.
    #[test]
    fn one_odd_prompt_moves_the_estimate_by_less_than_forty_per_cent() {
        let mut seed = 1_u64;
        let mut roll = move |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % most
        };
        let mut worst = 0.0_f64;
        for case in 0..4_000 {
            let text = 0.7 + roll(90) as f64 / 100.0;
            let mut calibration = Calibration::new("m");
            let mut prompt = |odd: f64| {
                let s = size(1_000 + roll(90_000), 1 + roll(8));
                let off = 0.95 + roll(10) as f64 / 100.0;
                let truth = s.units as f64 / 100.0 * text * off * odd + s.messages as f64 * 5.0;
                (s, truth as u64 + 4)
            };
            for _ in 0..case % 14 {
                let (s, counted) = prompt(1.0);
                calibration.learn(s, counted);
            }
            let before = calibration.estimate();
            let (s, counted) = prompt([0.3, 0.5, 0.7, 1.6, 2.5, 4.0][case % 6]);
            calibration.learn(s, counted);
            let after = calibration.estimate();
            for s in SIZES.map(|(units, messages)| size(units, messages)) {
                let (before, after) = (before.whole(s), after.whole(s));
                // In a prompt of one word, most tokens are the marks around it.
                if before.abs_diff(after) <= 12 {
                    continue;
                }
                let ratio = after as f64 / before as f64;
                worst = worst.max((ratio - 1.0).abs());
                assert!(
                    ratio < 1.4 && ratio > 0.6,
                    "{case}: {before} became {after} with {counted} for {s:?}"
                );
            }
        }
        println!("one odd prompt moved it by {:.0} % at most", worst * 100.0);
    }

    #[test]
    fn what_is_odd_no_more_is_believed() {
        let mut calibration = Calibration::new("m");
        for _ in 0..3 {
            calibration.learn(size(30_000, 3), 320);
        }
        // The model was replaced by one with another vocabulary.
        for _ in 0..8 {
            calibration.learn(size(30_000, 3), 540);
        }
        let guess = calibration.estimate().whole(size(30_000, 3));
        assert!(guess.abs_diff(540) < 54, "{guess}");
    }

    #[test]
    fn it_is_read_as_it_was_written_and_keeps_only_so_many() {
        let mut calibration = Calibration::new("m");
        for n in 1..=20 {
            calibration.learn(size(n * 1_000, 1), n * 10 + 8);
        }
        assert_eq!(calibration.sample_count(), MAX_SAMPLES);
        let text = serde_json::to_string(&calibration).unwrap();
        assert_eq!(
            serde_json::from_str::<Calibration>(&text).unwrap(),
            calibration
        );
    }
}
