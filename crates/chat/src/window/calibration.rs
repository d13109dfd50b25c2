//! From a guess to what a model counts: fitted, for each model, to the prompts it has counted.

use super::Size;
use serde::{Deserialize, Serialize};
use serde_with::{VecSkipError, serde_as};

/// How many prompts are remembered.
const REMEMBERED: usize = 12;
const N: usize = 4;
/// What is believed before anything was counted: tokens a guessed token, tokens a blank behind a blank, tokens a
/// message (`ChatML` needs 4 to 6), tokens around it all (a start mark, the mark that asks for an answer, a system
/// prompt some templates bring along); and how firmly, as what one prompt counted to 3 % says against it.
const PRIOR_MEAN: [f64; N] = [1.0, 0.0, 5.0, 3.0];
const PRIOR_WEIGHT: [f64; N] = [0.008, 0.000_5, 0.000_1, 0.000_004];
/// Between what each of them stays. Beyond that no vocabulary and no template is; an engine that counts what it
/// read anew, or says a constant, would lead there.
const BOUNDS: [(f64, f64); N] = [(0.5, 3.0), (0.0, 1.5), (0.0, 20.0), (0.0, 120.0)];
/// What an older prompt weighs against the one after it.
const FADE: f64 = 0.8;
/// A whole estimate is never less or more than so many times the plain one, whatever was counted.
const LEAST_RATIO: f64 = 0.5;
const MOST_RATIO: f64 = 3.0;
/// What a template may add to any request, in tokens: some bring a system prompt along. So much more than
/// `MOST_RATIO` allows may still be the truth of a short prompt.
const TEMPLATE_TOKENS: u64 = 120;
/// By which ratio each further prompt moves the estimate at most: one odd prompt is not believed alone.
const STEP_RATIO: f64 = 1.36;
/// A count that differs from the middle of all by this ratio weighs half; what differs more, less.
const ODD_RATIO: f64 = 1.15;
/// So many tokens of difference are no sign of an odd prompt: marks and small system prompts make as much.
const SLACK_TOKENS: f64 = 30.0;

/// What a model has counted, and the guess that follows from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Calibration {
    /// The model's name.
    pub model: String,
    samples: Vec<Sample>,
}

/// A calibration as the settings keep it.
#[serde_as]
#[derive(Deserialize)]
struct Kept {
    model: String,
    #[serde_as(as = "VecSkipError<_>")]
    samples: Vec<Sample>,
}

/// One prompt that was counted: its units, blanks, messages and count. Short, for it is written often.
type Sample = [u64; N];

impl Calibration {
    /// Of a model that has counted nothing yet.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            samples: Vec::new(),
        }
    }

    /// Takes in what the model counted for a prompt, and says whether it did: a count that cannot be the size of
    /// that prompt teaches nothing.
    pub fn learn(&mut self, size: Size, counted: u64) -> bool {
        let sample = [size.units, size.blanks, size.messages, counted];
        let can_be = is_plausible(&sample);
        if can_be {
            if self.samples.len() == REMEMBERED {
                self.samples.remove(0);
            }
            self.samples.push(sample);
        }
        can_be
    }

    /// Whether a count says something new: few were taken in so far, or the guess was off by more than 3 %.
    #[must_use]
    pub fn is_news(&self, guessed: u64, counted: u64) -> bool {
        self.samples.len() < REMEMBERED / 2 || guessed.abs_diff(counted) * 33 > counted
    }

    /// How many prompts it rests on.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.samples.len()
    }

    /// The guess that follows from what was counted.
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

/// Least squares of the relative error, drawn towards the prior (ridge regression). What is far from the middle of
/// all counts weighs little, so that no single prompt leads the others.
fn fitted(samples: &[Sample]) -> [f64; N] {
    let middle = middle(samples);
    let mut rows = [[0.0; N + 1]; N];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = PRIOR_WEIGHT[i];
        row[N] = PRIOR_WEIGHT[i] * PRIOR_MEAN[i];
    }
    let mut age = 1.0;
    for sample in samples.iter().rev() {
        let [units, blanks, messages, counted] = sample.map(|n| n as f64);
        let weight = age * trust(counted, middle * plain(sample));
        let x = [units / 100.0, blanks, messages, 1.0].map(|x| x / counted);
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, xj) in x.iter().enumerate() {
                row[j] += weight * x[i] * xj;
            }
            row[N] += weight * x[i];
        }
        age *= FADE;
    }
    solve_bounded(rows)
}

/// The middle of what was counted, as a ratio to the plain estimate; the prior is one of them.
fn middle(samples: &[Sample]) -> f64 {
    let mut ratios = vec![1.0];
    for sample in samples {
        let ratio = sample[N - 1] as f64 / plain(sample);
        // Not sorted by the library, which is kilobytes of the page.
        let at = ratios.iter().position(|other| ratio < *other);
        ratios.insert(at.unwrap_or(ratios.len()), ratio);
    }
    let half = ratios.len() / 2;
    match ratios.len() % 2 {
        0 => f64::midpoint(ratios[half - 1], ratios[half]),
        _ => ratios[half],
    }
}

/// What an uncalibrated estimate says of a counted prompt.
fn plain([units, blanks, messages, _]: &Sample) -> f64 {
    let size = Size {
        units: *units,
        blanks: *blanks,
        messages: *messages,
    };
    Estimate::default().whole(size) as f64
}

/// Whether a prompt can have as many tokens as were counted. Fewer are those of an engine that counts what it read
/// anew, because the rest was in its cache; more are none of this prompt.
fn is_plausible(sample: &Sample) -> bool {
    let [_, _, messages, counted] = *sample;
    let plain = plain(sample);
    let most = plain * MOST_RATIO + TEMPLATE_TOKENS as f64;
    let counted = counted as f64;
    messages > 0 && counted >= plain * LEAST_RATIO && counted <= most
}

/// How much a count is believed that the middle of all expected otherwise.
fn trust(counted: f64, expected: f64) -> f64 {
    let off = (counted - expected).abs() - SLACK_TOKENS;
    if off <= 0.0 {
        return 1.0;
    }
    let nearer = match counted > expected {
        true => counted - SLACK_TOKENS,
        false => counted + SLACK_TOKENS,
    };
    let odd = (nearer / expected).ln() / ODD_RATIO.ln();
    1.0 / (1.0 + odd * odd)
}

/// Tokens of a [`Size`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// After each prompt that was counted: tokens a guessed token, a blank behind a blank, a message, and around it
    /// all. Each moves what the one before it says by [`STEP_RATIO`] at most.
    fits: [[f64; N]; REMEMBERED],
    /// How many of them there are.
    prompts: usize,
}

impl Default for Estimate {
    fn default() -> Self {
        Self {
            fits: [PRIOR_MEAN; REMEMBERED],
            prompts: 0,
        }
    }
}

impl Estimate {
    /// Tokens of one part of a request, its marks included.
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
        let sum = |per: &[f64; N]| per.iter().zip(counts).map(|(per, n)| per * n).sum::<f64>();
        let plain = sum(&PRIOR_MEAN);
        let mut tokens = plain;
        for fit in self.fits.iter().take(self.prompts) {
            let (least, most) = (tokens / STEP_RATIO, tokens * STEP_RATIO);
            tokens = sum(fit).max(least).min(most);
        }
        let bounded = tokens.max(plain * LEAST_RATIO);
        bounded.min(plain * MOST_RATIO).round() as u64
    }
}

/// The solution within [`BOUNDS`]: what is beyond its bound is set to it, and the others are solved again.
fn solve_bounded(mut rows: [[f64; N + 1]; N]) -> [f64; N] {
    for _ in 0..N {
        let Some(solution) = solve(rows) else {
            break;
        };
        let bounded = |i: usize| solution[i].max(BOUNDS[i].0).min(BOUNDS[i].1);
        let off = |i: usize| (solution[i] - bounded(i)).abs() / BOUNDS[i].1;
        let mut worst = 0;
        for i in 1..N {
            if off(i) > off(worst) {
                worst = i;
            }
        }
        if off(worst) == 0.0 {
            return solution;
        }
        rows[worst] = [0.0; N + 1];
        rows[worst][worst] = 1.0;
        rows[worst][N] = bounded(worst);
    }
    PRIOR_MEAN
}

/// Gauss' elimination; none where the rows say too little.
fn solve(mut rows: [[f64; N + 1]; N]) -> Option<[f64; N]> {
    for i in 0..N {
        // Positive on the diagonal: the rows are those of a sum of squares, or of a value that is set.
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
        *value = rows[i][N] / rows[i][i];
    }
    Some(solution)
}

impl From<Kept> for Calibration {
    fn from(Kept { model, mut samples }: Kept) -> Self {
        // An earlier version kept samples that `learn` refuses now.
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
                        // Of a few dozen tokens a tenth is less than the marks around two messages.
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

    /// Sizes that a chat comes by: from a word to a book.
    const SIZES: [(u64, u64); 6] = [
        (100, 1),
        (2_000, 1),
        (9_000, 2),
        (60_000, 4),
        (400_000, 20),
        (9_000_000, 400),
    ];

    /// An estimate of about nought tokens let a request go that overflowed, without a word.
    #[test]
    fn whatever_an_engine_counts_the_estimate_stays_within_half_and_three_times_the_plain_one() {
        /// What an engine counts of its n-th prompt, whose plain estimate comes second.
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
        assert_eq!(calibration.answers(), 0);
        assert!(!calibration.learn(size(1_000, 0), 10));
        // A short prompt whose template brings a system prompt along.
        assert!(calibration.learn(size(95, 1), 68));
        assert!(calibration.learn(prompt, 600));
    }

    #[test]
    fn what_an_older_sash_believed_and_cannot_be_is_left_behind() {
        let kept = r#"{"model":"m","samples":[[40000,0,3,1],[40000,0,3,430],[1,2,3]]}"#;
        let calibration: Calibration = serde_json::from_str(kept).unwrap();
        assert_eq!(calibration.answers(), 1);
    }

    /// Counts of a vocabulary, off by a few per cent each, and one odd prompt among them or first of all.
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
                // Of a word alone, the marks around it are most.
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
        assert_eq!(calibration.answers(), REMEMBERED);
        let text = serde_json::to_string(&calibration).unwrap();
        assert_eq!(
            serde_json::from_str::<Calibration>(&text).unwrap(),
            calibration
        );
    }
}
