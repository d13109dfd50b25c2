//! From a guess to what a model counts: fitted, for each model, to the prompts it has counted.

use super::Size;
use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// How many prompts are remembered.
const REMEMBERED: usize = 12;
/// What is believed before anything was counted: tokens a guessed token, tokens a blank behind a blank, tokens a message (`ChatML` needs 4 to
/// 6), tokens around it all (a start mark, the mark that asks for an answer, a system prompt some
/// templates bring along); and how firmly, as what one prompt counted to 3 % says against it.
const BELIEF: [f64; N] = [1.0, 0.0, 5.0, 3.0];
const FIRMNESS: [f64; N] = [0.008, 0.000_5, 0.000_1, 0.000_004];
const N: usize = 4;
/// What an older prompt weighs against the one after it.
const FADE: f64 = 0.8;

/// What a model has counted, and the guess that follows from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// The model's name.
    pub model: String,
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

    /// Takes in what the model counted for a prompt. A count of nought is none at all.
    pub fn learn(&mut self, size: Size, counted: u64) {
        if counted == 0 || size.messages == 0 {
            return;
        }
        if self.samples.len() == REMEMBERED {
            self.samples.remove(0);
        }
        self.samples
            .push([size.units, size.blanks, size.messages, counted]);
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
        // Least squares of the relative error, drawn towards the belief (ridge regression).
        let mut rows = [[0.0; N + 1]; N];
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] = FIRMNESS[i];
            row[N] = FIRMNESS[i] * BELIEF[i];
        }
        let mut weight = 1.0;
        for [units, blanks, messages, counted] in
            self.samples.iter().rev().map(|s| s.map(|n| n as f64))
        {
            let x = [units / 100.0, blanks, messages, 1.0].map(|x| x / counted);
            for (i, row) in rows.iter_mut().enumerate() {
                for (j, xj) in x.iter().enumerate() {
                    row[j] += weight * x[i] * xj;
                }
                row[N] += weight * x[i];
            }
            weight *= FADE;
        }
        let [text, blank, message, around] = solve(rows).unwrap_or(BELIEF);
        Estimate {
            text: text.max(0.05),
            blank: blank.max(0.0),
            message: message.max(0.0),
            around: around.max(0.0),
        }
    }
}

/// Tokens of a [`Size`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    text: f64,
    blank: f64,
    message: f64,
    around: f64,
}

impl Default for Estimate {
    fn default() -> Self {
        let [text, blank, message, around] = BELIEF;
        Self {
            text,
            blank,
            message,
            around,
        }
    }
}

impl Estimate {
    /// Tokens of one part of a request, its marks included.
    #[must_use]
    pub fn part(&self, size: Size) -> u64 {
        let text = size.units as f64 / 100.0 * self.text + size.blanks as f64 * self.blank;
        (text + size.messages as f64 * self.message).round() as u64
    }

    /// Tokens of a whole request.
    #[must_use]
    pub fn whole(&self, size: Size) -> u64 {
        self.part(size) + self.around.round() as u64
    }
}

/// Gauss' elimination; none where the rows say too little.
fn solve(mut rows: [[f64; N + 1]; N]) -> Option<[f64; N]> {
    for i in 0..N {
        // Positive on the diagonal: the rows are those of a sum of squares.
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
    let mut solution = BELIEF;
    for (i, value) in solution.iter_mut().enumerate() {
        *value = rows[i][N] / rows[i][i];
    }
    Some(solution)
}

impl FromJson for Calibration {
    fn from_json(value: &Value) -> Option<Self> {
        let samples = value.get("samples").and_then(Value::as_array)?;
        Some(Self {
            model: value.text("model")?,
            samples: samples.iter().filter_map(sample).collect(),
        })
    }
}

fn sample(value: &Value) -> Option<Sample> {
    let number = |i: usize| value.get(i).and_then(Value::as_u64);
    let counted = number(3).filter(|n| *n > 0)?;
    Some([number(0)?, number(1)?, number(2)?, counted])
}

read_by_hand!(Calibration);

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
    fn without_a_count_it_is_the_belief() {
        let estimate = Calibration::new("m").estimate();
        assert_eq!(estimate.whole(size(10_000, 4)), 100 + 20 + 3);
    }

    #[test]
    fn three_answers_are_enough_for_any_vocabulary_and_template() {
        for text in [0.6, 1.0, 1.7, 3.0] {
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
                        // Of a dozen tokens a tenth is less than the marks around a message.
                        let off = guess.abs_diff(truth);
                        let allowed = (truth / 10).max(5);
                        assert!(
                            off <= allowed,
                            "{guess} for {truth}: {text} {message} {around}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_count_of_nought_teaches_nothing() {
        let mut calibration = Calibration::new("m");
        calibration.learn(size(1_000, 1), 0);
        assert_eq!(calibration.answers(), 0);
    }

    #[test]
    fn it_is_read_as_it_was_written_and_keeps_only_so_many() {
        let mut calibration = Calibration::new("m");
        for n in 1..=20 {
            calibration.learn(size(n * 100, 1), n);
        }
        assert_eq!(calibration.answers(), REMEMBERED);
        let text = serde_json::to_string(&calibration).unwrap();
        assert_eq!(
            serde_json::from_str::<Calibration>(&text).unwrap(),
            calibration
        );
    }
}
