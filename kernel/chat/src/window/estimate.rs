//! Tokens of a [`Size`]: its counts, each times the factor of the family of the model's tokenizer.

use super::Size;
use super::families::{Factors, factors_of};

/// Tokens around the messages of a request: a start mark, and the mark that asks for an answer.
const REQUEST_TOKENS: f64 = 3.0;

/// Converts a [`Size`] to tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    factors: &'static Factors,
    /// What the model counted of its prompts, relative to what the factors say.
    ratio: f64,
}

impl Default for Estimate {
    fn default() -> Self {
        Self::of_tokenizer("")
    }
}

impl Estimate {
    /// The estimate for a tokenizer, by its name in `ModelInfo::tokenizer`; an average one for an unknown name.
    #[must_use]
    pub fn of_tokenizer(name: &str) -> Self {
        Self {
            factors: factors_of(name),
            ratio: 1.0,
        }
    }

    /// The same estimate, multiplied by the running ratio of a model.
    pub(super) const fn times(self, ratio: f64) -> Self {
        Self { ratio, ..self }
    }

    /// The running ratio.
    pub(super) const fn ratio(self) -> f64 {
        self.ratio
    }

    /// Tokens of one part of a request, including the marks that the template puts around it.
    #[must_use]
    pub fn part(&self, size: Size) -> u64 {
        (self.sum(size) * self.ratio).round() as u64
    }

    /// Tokens of a whole request.
    #[must_use]
    pub fn whole(&self, size: Size) -> u64 {
        ((self.sum(size) + REQUEST_TOKENS) * self.ratio).round() as u64
    }

    fn sum(&self, size: Size) -> f64 {
        let costs = size.counts.iter().zip(self.factors);
        let hundredths: i64 = costs
            .map(|(n, factor)| i64::from(*n) * i64::from(*factor))
            .sum();
        hundredths.max(0) as f64 / 100.0
    }
}

#[cfg(test)]
mod tests;
