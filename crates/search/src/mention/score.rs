//! Scores each message of the branch against some words: BM25, plus a share of the scores of its neighbours
//! and of its sitting. The constants were tuned on labelled dialogues, edited and unedited ones.

use super::index::MentionIndex;
use crate::inverted::Posting;

/// BM25's k1: how soon repetitions of a word stop counting.
const K1: f32 = 0.6;
/// BM25's b: how much less a long text counts.
const B: f32 = 0.2;
/// The share of the scores of the messages before and after, within the same sitting.
const NEIGHBOUR: f32 = 0.2;
/// The share of the score of the whole sitting.
const SITTING: f32 = 0.3;

/// The score of a message.
#[derive(Clone, Copy, Default)]
pub(super) struct MessageScore {
    /// The score of its own words.
    own: f32,
    /// The score including its neighbours and its sitting.
    pub(super) score: f32,
    /// The words that it contains, one bit each.
    pub(super) holds: u64,
}

/// The rarity (IDF) of a word that `holding` of `all` texts contain; never negative.
pub(super) fn rarity(all: usize, holding: usize) -> f32 {
    let (all, holding) = (all as f32, holding as f32);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
}

/// The weight of `count` occurrences in a text of `words` words, where the mean length is `mean`.
fn weight(count: u32, words: u32, mean: f32) -> f32 {
    let count = count as f32;
    count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * words as f32 / mean))
}

impl MentionIndex {
    /// Scores every message against `words`, at most 64: their stems and weights.
    pub(super) fn score(&self, words: &[(&str, f32)]) -> Vec<MessageScore> {
        let mut scores = vec![MessageScore::default(); self.messages.len()];
        let mut sittings = vec![0.0f32; self.sittings.len()];
        let total = self.words as f32;
        let mean = total / self.messages.len() as f32;
        let sitting_mean = total / self.sittings.len() as f32;
        for (bit, &(stem, gain)) in words.iter().enumerate() {
            let postings = self.stems.postings(stem);
            let sitting_of = |posting: &Posting| self.messages[posting.document()].sitting;
            let by_sitting = || postings.chunk_by(|one, next| sitting_of(one) == sitting_of(next));
            let rare = gain * rarity(self.messages.len(), postings.len());
            let rare_sitting = gain * rarity(self.sittings.len(), by_sitting().count());
            for in_sitting in by_sitting() {
                for posting in in_sitting {
                    let at = posting.document();
                    let score = &mut scores[at];
                    score.own += rare * weight(posting.count(), self.messages[at].words, mean);
                    score.holds |= 1 << bit;
                }
                let sitting = sitting_of(&in_sitting[0]) as usize;
                let count = in_sitting.iter().map(|posting| posting.count()).sum();
                let words = self.sittings[sitting];
                sittings[sitting] += rare_sitting * weight(count, words, sitting_mean);
            }
        }
        for at in 0..scores.len() {
            let sitting = self.messages[at].sitting;
            let mut score = scores[at].own + SITTING * sittings[sitting as usize];
            for next_to in [at.wrapping_sub(1), at + 1] {
                if self
                    .messages
                    .get(next_to)
                    .is_some_and(|m| m.sitting == sitting)
                {
                    score += NEIGHBOUR * scores[next_to].own;
                }
            }
            scores[at].score = score;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::each_word;
    use super::*;
    use sash_chat::Id;

    const DAY: u64 = 86_400_000;
    const MARCH_3: u64 = 1_772_496_000_000;

    /// Two sittings with a known ranking.
    fn recipes() -> MentionIndex {
        let mut index = MentionIndex::new();
        for (i, (ms, text)) in [
            (
                MARCH_3,
                "Ann: Which database should I use for the recipe site?",
            ),
            (
                MARCH_3 + 1,
                "Model: SQLite is enough for a small recipe site.",
            ),
            (MARCH_3 + 2, "Ann: Good, I will start with SQLite."),
            (MARCH_3 + 38 * DAY, "Ann: The search page is slow today."),
            (
                MARCH_3 + 38 * DAY + 1,
                "Model: Add an index on the title column.",
            ),
            (
                MARCH_3 + 38 * DAY + 2,
                "Ann: Done, it takes two milliseconds now.",
            ),
        ]
        .into_iter()
        .enumerate()
        {
            index.add(Id(i as u64), text, ms);
        }
        index
    }

    fn scores(index: &MentionIndex, query: &str) -> Vec<MessageScore> {
        let mut words = Vec::new();
        each_word(query, &mut |stem, _| words.push(stem.to_owned()));
        let words: Vec<(&str, f32)> = words.iter().map(|stem| (stem.as_str(), 1.0)).collect();
        index.score(&words)
    }

    fn rounded(scores: impl Iterator<Item = f32>) -> Vec<String> {
        scores.map(|score| format!("{score:.4}")).collect()
    }

    #[test]
    fn lengths_count_words_without_stop_words_and_with_the_date() {
        let index = recipes();
        let lengths: Vec<u32> = index.messages.iter().map(|m| m.words).collect();
        assert_eq!(lengths, [8, 9, 7, 8, 8, 9]);
        assert_eq!(index.sittings, [24, 25]);
    }

    #[test]
    fn the_worked_check_holds_to_four_digits() {
        let index = recipes();
        let found = scores(&index, "Which database did we choose in March?");
        assert_eq!(
            rounded(found.iter().map(|score| score.own)),
            ["2.2370", "0.6879", "0.7007", "0.0000", "0.0000", "0.0000"]
        );
        assert_eq!(
            rounded(found.iter().map(|score| score.score)),
            ["2.8603", "1.7611", "1.3239", "0.0000", "0.0000", "0.0000"]
        );
        let found = scores(&index, "How was the slow search fixed?");
        assert_eq!(
            rounded(found.iter().map(|score| score.own)),
            ["0.0000", "0.0000", "0.0000", "3.0856", "0.0000", "0.0000"]
        );
        assert_eq!(
            rounded(found.iter().map(|score| score.score)),
            ["0.0000", "0.0000", "0.0000", "3.5009", "1.0324", "0.4153"]
        );
    }

    #[test]
    fn a_fit_knows_which_words_it_holds() {
        let found = scores(&recipes(), "database sqlite recipe nowhere");
        let holds: Vec<u64> = found.iter().map(|score| score.holds).collect();
        assert_eq!(holds, [0b101, 0b110, 0b010, 0, 0, 0]);
    }

    #[test]
    fn nothing_fits_an_empty_index() {
        assert!(scores(&MentionIndex::new(), "database").is_empty());
    }
}
