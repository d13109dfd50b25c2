//! Scores each message of a log against some terms: BM25, plus shares of the scores of its neighbours and of its
//! sitting.

use super::log::LogIndex;
use super::{Traits, Weights};

/// How far away messages count as context.
const MAX_DISTANCE: u32 = 4;

/// The score of a message.
#[derive(Clone, Copy, Default)]
pub(crate) struct MessageScore {
    /// The score of its own words.
    pub(crate) own: f32,
    /// The score including its neighbours and its sitting.
    pub(crate) score: f32,
    /// The terms that it contains, one bit each, the first 64.
    pub(crate) holds: u64,
}

/// A term that stands for a word of the query, and how much it counts in the word's place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variant {
    pub(crate) term: String,
    pub(crate) weight: f32,
}

/// A word of the query. Of its variants the one that scores highest counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) variants: Vec<Variant>,
    /// By what the word's score is multiplied.
    pub(crate) gain: f32,
}

/// The least weight of a variant that stands for the word itself, not for one that is related to it.
const SAME_WORD: f32 = 0.5;

/// The rarity (IDF) of a term that `holding` of `all` texts contain; never negative.
pub(crate) fn rarity(all: usize, holding: usize) -> f32 {
    let (all, holding) = (all as f32, holding as f32);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
}

/// Scores of a sparse set of documents, of each the highest.
struct Highest {
    scores: Vec<f32>,
    touched: Vec<usize>,
}

impl Highest {
    fn new(size: usize) -> Self {
        Self {
            scores: vec![0.0; size],
            touched: Vec::new(),
        }
    }

    fn put(&mut self, at: usize, score: f32) {
        if self.scores[at] == 0.0 {
            self.touched.push(at);
        }
        self.scores[at] = self.scores[at].max(score);
    }

    fn take(&mut self, each: &mut dyn FnMut(usize, f32)) {
        for at in self.touched.drain(..) {
            each(at, std::mem::take(&mut self.scores[at]));
        }
    }
}

impl LogIndex {
    /// Scores every message against `query`. `asked` are the kinds of thing that the query asks for.
    pub(crate) fn score(
        &self,
        query: &[QueryTerm],
        asked: Traits,
        weights: &Weights,
    ) -> Vec<MessageScore> {
        let mut scores = vec![MessageScore::default(); self.messages.len()];
        let mut sittings = vec![0.0f32; self.sittings.len()];
        let mean = self.words as f32 / self.messages.len() as f32;
        let sitting_mean = self.words as f32 / self.sittings.len() as f32;
        let weigh = |count: f32, words: u32, mean: f32| {
            let length = 1.0 - weights.b + weights.b * words as f32 / mean;
            count * (weights.k1 + 1.0) / (count + weights.k1 * length)
        };
        let mut best = Highest::new(scores.len());
        let mut best_sitting = Highest::new(sittings.len());
        let mut counts = Highest::new(sittings.len());
        for (bit, word) in query.iter().enumerate() {
            let mut commonest = 0;
            for variant in &word.variants {
                let postings = self.terms.postings(&variant.term);
                if postings.is_empty() {
                    continue;
                }
                // A rare misspelling or related word tells no more than the word itself.
                let holding = postings.len().max(commonest);
                if variant.weight >= SAME_WORD {
                    commonest = holding;
                }
                let rare = variant.weight * rarity(self.messages.len(), holding);
                for posting in postings {
                    let at = posting.document();
                    let message = &self.messages[at];
                    best.put(
                        at,
                        rare * weigh(posting.count() as f32, message.words, mean),
                    );
                    let sitting = message.sitting as usize;
                    let count = counts.scores[sitting] + posting.count() as f32;
                    counts.put(sitting, count);
                    if variant.weight >= SAME_WORD && bit < 64 {
                        scores[at].holds |= 1 << bit;
                    }
                }
                let holding = counts.touched.len();
                let rare = variant.weight * rarity(self.sittings.len(), holding);
                counts.take(&mut |at, count| {
                    best_sitting.put(at, rare * weigh(count, self.sittings[at], sitting_mean));
                });
            }
            best.take(&mut |at, score| scores[at].own += word.gain * score);
            best_sitting.take(&mut |at, score| sittings[at] += word.gain * score);
        }
        for at in 0..scores.len() {
            scores[at].score = self.with_context(at, &scores, &sittings, asked, weights);
        }
        scores
    }

    /// The score of a message with those of its neighbours and its sitting.
    fn with_context(
        &self,
        at: usize,
        scores: &[MessageScore],
        sittings: &[f32],
        asked: Traits,
        weights: &Weights,
    ) -> f32 {
        let message = &self.messages[at];
        let mut score = scores[at].own;
        for direction in [Direction::Before, Direction::After] {
            score += self.context(at, direction, scores, weights);
        }
        if message.traits.has(asked) {
            score *= 1.0 + weights.asked;
        }
        score + weights.sitting * sittings[message.sitting as usize]
    }

    /// The shares of the messages on one side. The next one counts wherever it is; those beyond by the words in
    /// between, so that talk in short bursts has a wider context than talk in long turns.
    fn context(
        &self,
        at: usize,
        direction: Direction,
        scores: &[MessageScore],
        weights: &Weights,
    ) -> f32 {
        let next = |at: usize| {
            let message = &self.messages[at];
            match direction {
                Direction::Before => message.before,
                Direction::After => message.after,
            }
        };
        let Some(mut near) = next(at).map(|near| near as usize) else {
            return 0.0;
        };
        let share = match direction {
            Direction::Before if self.messages[near].traits.has(Traits::QUESTION) => weights.answer,
            Direction::Before => weights.before,
            Direction::After => weights.after,
        };
        let mut score = share * scores[near].own;
        let mut between = 0;
        for _ in 1..MAX_DISTANCE {
            between += self.messages[near].words;
            let Some(beyond) = next(near) else { break };
            near = beyond as usize;
            let share = (weights.beyond / between.max(1) as f32).min(weights.before / 2.0);
            score += share * scores[near].own;
        }
        score
    }
}

/// A side of a message.
#[derive(Clone, Copy)]
enum Direction {
    Before,
    After,
}
