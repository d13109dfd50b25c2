//! Decides whether a draft clearly refers to a message outside the window.
//!
//! The constants were tuned on `tests/tuned.txt`; no published values exist for this task. The result is not
//! sensitive to them: a change of a tenth moves one or two offers in forty.

use super::draft::{DraftAnalysis, analyse};
use crate::rank::{MessageScore, QueryTerm, RecallScope, Variant, rarity};
use sash_chat::Id;

/// The least total weight of the shared words: two ordinary words, or one name or identifier.
const MIN_WEIGHT: f32 = 1.7;
/// The same for a draft that refers back ("the index you suggested"): one ordinary word.
const MIN_WEIGHT_BACK_REFERENCE: f32 = 0.9;
/// The least share of the draft's total weight that the shared words must have; otherwise the draft is about
/// another subject.
const MIN_SHARE: f32 = 0.48;
/// The same for a draft that refers back.
const MIN_SHARE_BACK_REFERENCE: f32 = 0.3;
/// A branch of at most this many messages is short: of the few that have left the window, one that has all that the draft
/// says is meant, even by one ordinary word.
const SHORT_BRANCH: usize = 12;
/// The least total weight and the least share in a short branch.
const MIN_WEIGHT_SHORT: f32 = 0.9;
const MIN_SHARE_SHORT: f32 = 0.9;
/// The least total weight there for a draft about something of the person's own ("What is my code word?"), and the weight
/// of a word of conversation in it.
const MIN_WEIGHT_OWN: f32 = 0.3;
const OWN_WORD_WEIGHT: f32 = 0.5;
/// The least rarity of a word that counts, relative to a word of a single question and its answer.
const MIN_RARITY: f32 = 0.3;
/// By which factor the offered message must score higher than messages of other exchanges and those in the
/// window.
const MIN_LEAD_RATIO: f32 = 1.1;
/// If the next message has this share of a message's weight, it counts as its answer and is offered instead.
const ANSWER_SHARE: f32 = 0.6;
/// Messages within this distance belong to the same conversation.
const CONVERSATION_DISTANCE: usize = 6;

/// A message outside the window that a draft refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The message.
    pub id: Id,
    /// The words that identify it, at least one, as spelled and ordered in the draft.
    pub words: Vec<String>,
}

/// The weights of a draft's words among the messages of one branch.
#[derive(Default)]
struct DraftWeights {
    /// The weight of each word: by its spelling, times its rarity.
    each: Vec<f32>,
    /// The sum of the weights.
    all: f32,
    /// The words that were found and have a weight, one bit each.
    telling: u64,
}

impl DraftWeights {
    /// The total weight of some of the words.
    fn of(&self, words: u64) -> f32 {
        let mut sum = 0.0;
        for (bit, weight) in self.each.iter().enumerate() {
            if words >> bit & 1 == 1 {
                sum += weight;
            }
        }
        sum
    }
}

impl RecallScope<'_> {
    /// The message outside the window to which `draft` clearly refers, if there is one. The first 64
    /// different words of the draft are read.
    ///
    /// `visible` tells whether a message goes with the next prompt, `may` whether another one may be offered
    /// at all (a muted or deleted one may not). Both are called only for messages that share a weighted word
    /// with the draft.
    ///
    /// A word's weight depends on its spelling (names and identifiers most, words of conversation such as
    /// "thanks" or "example" zero) and on its rarity in the branch; it is zero if a visible message contains
    /// the word. A message is offered if the weight of the words it shares is high enough, in total and as a
    /// share of the draft's weight, and if it scores clearly higher than every visible message and every one
    /// of another conversation. If the answer repeats the words of its question, the answer is offered.
    #[must_use]
    pub fn mentioned(
        &self,
        draft: &str,
        visible: &dyn Fn(Id) -> bool,
        may: &dyn Fn(Id) -> bool,
    ) -> Option<Mention> {
        let mut analysis = analyse(draft);
        let is_short = self.messages.len() <= SHORT_BRANCH;
        let min_weight_short = match is_short && analysis.own {
            true => MIN_WEIGHT_OWN,
            false => MIN_WEIGHT_SHORT,
        };
        if is_short && analysis.own {
            let words = analysis.words.iter_mut();
            words.for_each(|word| word.weight = word.weight.max(OWN_WORD_WEIGHT));
        }
        let weights = self.weigh(&analysis);
        if weights.telling == 0 {
            return None;
        }
        let mut query = Vec::new();
        for word in &analysis.words {
            // Words of conversation still help a little to choose between messages.
            query.push(QueryTerm {
                variants: vec![Variant {
                    term: word.stem.clone(),
                    weight: 1.0,
                }],
                gain: word.times * word.weight.max(0.2),
            });
        }
        let scores = self.score(&query, false);

        let mut hidden = Vec::new();
        let (mut seen, mut rival) = (0u64, 0.0f32);
        for (at, score) in scores.iter().enumerate() {
            if score.holds & weights.telling == 0 {
                continue;
            }
            let id = self.messages[at].id;
            if visible(id) {
                seen |= score.holds;
                rival = rival.max(score.score);
            } else if may(id) {
                hidden.push(at);
            }
        }
        let telling = weights.telling & !seen;
        let best = best(&scores, &hidden, telling)?;
        let score = scores[best];
        for &other in &hidden {
            if other.abs_diff(best) > CONVERSATION_DISTANCE {
                rival = rival.max(scores[other].score);
            }
        }
        let mut at = best;
        let mut shared = score.holds & telling;
        let next = scores.get(best + 1).map_or(0, |next| next.holds & telling);
        let answers = weights.of(next) >= ANSWER_SHARE * weights.of(shared);
        if answers && hidden.contains(&(best + 1)) {
            (at, shared) = (best + 1, next);
        }

        let weight = weights.of(shared);
        let (min_weight, min_share) = if analysis.back {
            (MIN_WEIGHT_BACK_REFERENCE, MIN_SHARE_BACK_REFERENCE)
        } else {
            (MIN_WEIGHT, MIN_SHARE)
        };
        let is_clear = weight >= min_weight && weight >= min_share * weights.all;
        let is_all =
            is_short && weight >= min_weight_short && weight >= MIN_SHARE_SHORT * weights.all;
        if !(is_clear || is_all) || scores[at].score < MIN_LEAD_RATIO * rival {
            return None;
        }
        let mut words = Vec::new();
        for (bit, word) in analysis.words.iter().enumerate() {
            if shared >> bit & 1 == 1 {
                words.push(draft[word.at.clone()].to_owned());
            }
        }
        Some(Mention {
            id: self.messages[at].id,
            words,
        })
    }

    fn weigh(&self, draft: &DraftAnalysis) -> DraftWeights {
        let mut weights = DraftWeights::default();
        let messages = self.messages.len();
        for (bit, word) in draft.words.iter().enumerate() {
            let holding = self.postings(&word.stem).count();
            let rare = (rarity(messages, holding) / rarity(messages, 2)).min(1.0);
            if holding > 0 && rare >= MIN_RARITY && word.weight > 0.0 {
                weights.telling |= 1 << bit;
            }
            weights.each.push(word.weight * rare);
            weights.all += word.weight * rare;
        }
        weights
    }
}

/// Of the messages at `hidden` that contain any of the words, the one with the highest score; of equals, the
/// newest.
fn best(scores: &[MessageScore], hidden: &[usize], words: u64) -> Option<usize> {
    let mut best: Option<usize> = None;
    for &at in hidden {
        let better = best.is_none_or(|best| scores[at].score >= scores[best].score);
        if scores[at].holds & words != 0 && better {
            best = Some(at);
        }
    }
    best
}
