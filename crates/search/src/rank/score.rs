//! Scores each message of a log against some terms: BM25, plus shares of the scores of its neighbours and of its
//! sitting.

use super::RecallScope;

// Every value is a mild one: each helps on edited and on careless talk and with a model, while stronger ones hurt one of
// them. README.md of this crate has the gain of each.

/// BM25's k1: how soon repetitions of a word stop counting.
const K1: f32 = 0.6;
/// BM25's b: how much less a long text counts.
const B: f32 = 0.2;
/// The share of the score of the message before, and of that after.
const NEIGHBOUR: f32 = 0.2;
/// The same where the message before asks something, so that this one may be its answer.
const ANSWER: f32 = 0.35;
/// The share of the scores of messages further away, divided by the words in between.
const BEYOND: f32 = 0.75;
/// The share of the score of the whole sitting.
const SITTING: f32 = 0.3;
/// How much more a message counts that says when, where that is asked.
const ASKED: f32 = 0.2;
/// How far away messages count as context.
const MAX_DISTANCE: usize = 4;

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

impl RecallScope<'_> {
    /// Scores every message against `query`. `asks_when` favours messages that say when.
    pub(crate) fn score(&self, query: &[QueryTerm], asks_when: bool) -> Vec<MessageScore> {
        let mut scores = vec![MessageScore::default(); self.messages.len()];
        let mut sittings = vec![0.0f32; self.sittings.len()];
        let mean = self.words as f32 / self.messages.len() as f32;
        let sitting_mean = self.words as f32 / self.sittings.len() as f32;
        let weigh = |count: f32, words: u32, mean: f32| {
            let length = 1.0 - B + B * words as f32 / mean;
            count * (K1 + 1.0) / (count + K1 * length)
        };
        // Of the word, and of the variant. Each resets what its postings set: the words of a long prompt are many, and the
        // cost of each must not grow with the log.
        let mut best = vec![0.0f32; scores.len()];
        let mut best_sitting = vec![0.0f32; sittings.len()];
        let mut counts = vec![0.0f32; sittings.len()];
        for (bit, word) in query.iter().enumerate() {
            let mut commonest = 0;
            for variant in &word.variants {
                let holding = self.postings(&variant.term).count();
                if holding == 0 {
                    continue;
                }
                // A rare misspelling or related word tells no more than the word itself.
                let holding = holding.max(commonest);
                if variant.weight >= SAME_WORD {
                    commonest = holding;
                }
                let rare = variant.weight * rarity(self.messages.len(), holding);
                let mut holding = 0;
                for (at, count) in self.postings(&variant.term) {
                    let count = count as f32;
                    let message = &self.messages[at];
                    best[at] = best[at].max(rare * weigh(count, message.said.words, mean));
                    let in_sitting = &mut counts[message.sitting];
                    holding += usize::from(*in_sitting == 0.0);
                    *in_sitting += count;
                    if variant.weight >= SAME_WORD && bit < 64 {
                        scores[at].holds |= 1 << bit;
                    }
                }
                let rare = variant.weight * rarity(self.sittings.len(), holding);
                for (at, _) in self.postings(&variant.term) {
                    let at = self.messages[at].sitting;
                    let count = std::mem::take(&mut counts[at]);
                    let score = rare * weigh(count, self.sittings[at], sitting_mean);
                    best_sitting[at] = best_sitting[at].max(score);
                }
            }
            for variant in &word.variants {
                for (at, _) in self.postings(&variant.term) {
                    let sitting = self.messages[at].sitting;
                    scores[at].own += word.gain * std::mem::take(&mut best[at]);
                    sittings[sitting] += word.gain * std::mem::take(&mut best_sitting[sitting]);
                }
            }
        }
        for at in 0..scores.len() {
            scores[at].score = self.with_context(at, &scores, &sittings, asks_when);
        }
        scores
    }

    /// The score of a message with those of its neighbours and its sitting.
    fn with_context(
        &self,
        at: usize,
        scores: &[MessageScore],
        sittings: &[f32],
        asks_when: bool,
    ) -> f32 {
        let message = &self.messages[at];
        let mut score = scores[at].own;
        score += self.context(self.before(at), ANSWER, scores);
        score += self.context(self.after(at), NEIGHBOUR, scores);
        if asks_when && message.said.says_when {
            score *= 1.0 + ASKED;
        }
        score + SITTING * sittings[message.sitting]
    }

    /// The shares of the messages on one side. The next one counts wherever it is, with another share if it asks
    /// something; those beyond by the words in between, so that talk in short bursts has a wider context than talk in long
    /// turns.
    fn context(
        &self,
        near: impl Iterator<Item = usize>,
        question: f32,
        scores: &[MessageScore],
    ) -> f32 {
        let mut near = near.take(MAX_DISTANCE);
        let Some(next) = near.next() else {
            return 0.0;
        };
        let share = match self.messages[next].said.is_question {
            true => question,
            false => NEIGHBOUR,
        };
        let mut score = share * scores[next].own;
        let mut between = self.messages[next].said.words;
        for beyond in near {
            let share = (BEYOND / between.max(1) as f32).min(NEIGHBOUR / 2.0);
            score += share * scores[beyond].own;
            between += self.messages[beyond].said.words;
        }
        score
    }
}
