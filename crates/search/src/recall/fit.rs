//! Decides which messages fit a prompt well enough to be sent with it.
//!
//! More context makes a model say more that is false when the log does not hold the answer, so a prompt about
//! something new must recall nothing. The constants were chosen on dialogues written for it, with questions that
//! the log does not answer; ARCHITECTURE.md has the figures.

use super::query::Query;
use crate::rank::{LogIndex, MessageScore, rarity};
use sash_chat::Id;

/// The least share of the prompt's weight that a message must hold, with its neighbours: below it the prompt is
/// about another subject.
const MIN_SHARE: f32 = 0.45;
/// The least weight of the subject words that are held, where a word of two messages weighs 1.
const MIN_WEIGHT: f32 = 0.6;
/// The least rarity of a word that counts as one, on the same scale.
const MIN_RARITY: f32 = 0.3;
/// What words that name no subject weigh of their rarity.
const CONVERSATION_WEIGHT: f32 = 0.2;
/// How many of the best messages are looked at for the two limits above: the best one may be a neighbour.
const LOOKED_AT: usize = 3;
/// The least score of a message, as a share of the best one's.
const MIN_SCORE: f32 = 0.4;
/// The most messages: more are never sent, and each costs room.
const MAX_MESSAGES: usize = 50;

/// The weights of the prompt's words in this log.
struct WordWeights {
    each: Vec<f32>,
    all: f32,
    /// The words that name a subject and are rare, one bit each.
    telling: u64,
}

impl WordWeights {
    fn new(query: &Query, scores: &[MessageScore]) -> Self {
        let most = rarity(scores.len(), 2);
        let mut weights = Self {
            each: Vec::new(),
            all: 0.0,
            telling: 0,
        };
        for bit in 0..query.terms.len() {
            let holds = |score: &&MessageScore| score.holds >> bit & 1 == 1;
            let holding = scores.iter().filter(holds).count();
            let rare = (rarity(scores.len(), holding) / most).min(1.0);
            let tells = query.telling >> bit & 1 == 1;
            if tells && holding > 0 && rare >= MIN_RARITY {
                weights.telling |= 1 << bit;
            }
            let weight = if tells {
                rare
            } else {
                CONVERSATION_WEIGHT * rare
            };
            weights.each.push(weight);
            weights.all += weight;
        }
        weights
    }

    /// The weight of some of the words.
    fn of(&self, words: u64) -> f32 {
        let held = self.each.iter().enumerate();
        held.filter(|(bit, _)| words >> bit & 1 == 1)
            .map(|(_, weight)| weight)
            .sum()
    }

    /// Whether a message that holds these words, itself or beside it, is about the same as the prompt.
    fn suffice(&self, words: u64) -> bool {
        self.of(words & self.telling) >= MIN_WEIGHT && self.of(words) >= MIN_SHARE * self.all
    }
}

/// The places of the messages that fit, best first; none where nothing fits.
pub(super) fn fit(
    log: &LogIndex,
    query: &Query,
    scores: &[MessageScore],
    may: &dyn Fn(Id, Id) -> bool,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len())
        .filter(|at| {
            let message = &log.messages[*at];
            scores[*at].score > 0.0 && may(message.chat, message.id)
        })
        .collect();
    order.sort_by(|one, other| scores[*other].score.total_cmp(&scores[*one].score));
    let weights = WordWeights::new(query, scores);
    let held_around = |at: &usize| {
        let message = &log.messages[*at];
        let near = [message.before, message.after].into_iter().flatten();
        near.fold(scores[*at].holds, |holds, near| {
            holds | scores[near as usize].holds
        })
    };
    let mut best = order.iter().take(LOOKED_AT).map(held_around);
    if !best.any(|words| weights.suffice(words)) {
        return Vec::new();
    }
    let top = order.first().map_or(0.0, |at| scores[*at].score);
    order.retain(|at| scores[*at].score >= MIN_SCORE * top);
    order.truncate(MAX_MESSAGES);
    order
}
