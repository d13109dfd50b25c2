//! Decides which messages fit a prompt well enough to be sent with it.
//!
//! More context makes a model say more that is false when the log does not hold the answer, so a prompt about
//! something new must recall nothing. The constants were chosen on the sets of `tests/data/recall`, which have prompts
//! that the log does not answer; README.md of this crate has the figures.

use super::query::RecallQuery;
use crate::rank::{MessageScore, RecallScope, rarity};
use sash_chat::Id;

/// The least evidence that the log holds what the prompt is about: the rarity of the subject words that a message
/// and its neighbours have (a word of two messages counts 1), times the best score as a share of the possible one. It
/// is for each square root of the rarity of a word of two messages, because more is found by chance in a longer log.
const MIN_EVIDENCE: f32 = 0.19;
/// The least rarity of a word that counts as one, on the same scale.
const MIN_RARITY: f32 = 0.3;
/// A shorter log is judged like one of this many messages.
const MIN_MESSAGES: usize = 10;
/// How many of the best messages are looked at for the subject words: the best one may be a neighbour.
const LOOKED_AT: usize = 3;
/// The least score of a message, as a share of the best one's.
const MIN_SCORE: f32 = 0.4;
/// The most messages: more are never sent, and each costs room.
const MAX_MESSAGES: usize = 50;

/// The rarities of the prompt's words in this log.
struct Rarities {
    /// Of each word that names a subject and is rare, as a share of the rarity of a word of two messages; 0 for others.
    telling: Vec<f32>,
    /// The least evidence in this log.
    least: f32,
}

impl Rarities {
    fn new(query: &RecallQuery, scores: &[MessageScore]) -> Self {
        let most = rarity(scores.len().max(MIN_MESSAGES), 2);
        let telling = query.terms.iter().enumerate().map(|(bit, _)| {
            let holding = holding(scores, bit);
            let rare = (rarity(scores.len(), holding) / most).min(1.0);
            let tells = query.telling >> bit & 1 == 1 && holding > 0 && rare >= MIN_RARITY;
            // What was said on a day is asked for however much that was.
            if query.days >> bit & 1 == 1 && holding > 0 {
                1.0
            } else if tells {
                rare
            } else {
                0.0
            }
        });
        Self {
            telling: telling.collect(),
            least: MIN_EVIDENCE * most.sqrt(),
        }
    }

    /// The rarities of some of the words together.
    fn of(&self, words: u64) -> f32 {
        let held = self.telling.iter().enumerate();
        held.filter(|(bit, _)| words >> bit & 1 == 1)
            .map(|(_, rarity)| rarity)
            .sum()
    }
}

/// How many messages have a word.
fn holding(scores: &[MessageScore], bit: usize) -> usize {
    let holds = |score: &&MessageScore| score.holds >> bit & 1 == 1;
    scores.iter().filter(holds).count()
}

/// The score of a message that has each word of the prompt once and no context: other scores are told as shares of it.
/// Never 0.
pub(super) fn possible_score(query: &RecallQuery, scores: &[MessageScore]) -> f32 {
    let words = query.terms.iter().enumerate();
    let each = words.map(|(bit, term)| term.gain * rarity(scores.len(), holding(scores, bit)));
    each.sum::<f32>().max(f32::MIN_POSITIVE)
}

/// The places of the messages that fit, best first; none where nothing fits.
pub(super) fn fit(
    log: &RecallScope<'_>,
    query: &RecallQuery,
    scores: &[MessageScore],
    possible: f32,
    may: &dyn Fn(Id, Id) -> bool,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len())
        .filter(|at| {
            let message = &log.messages[*at];
            scores[*at].score > 0.0 && may(message.chat, message.id)
        })
        .collect();
    order.sort_by(|one, other| scores[*other].score.total_cmp(&scores[*one].score));
    let top = order.first().map_or(0.0, |at| scores[*at].score);
    let rarities = Rarities::new(query, scores);
    let held_around = |at: &usize| {
        let near = log.before(*at).take(1).chain(log.after(*at).take(1));
        near.fold(scores[*at].holds, |holds, near| holds | scores[near].holds)
    };
    let best = order.iter().take(LOOKED_AT).map(held_around);
    let subject = best.map(|words| rarities.of(words)).fold(0.0, f32::max);
    if subject * top / possible < rarities.least {
        return Vec::new();
    }
    order.retain(|at| scores[*at].score >= MIN_SCORE * top);
    order.truncate(MAX_MESSAGES);
    order
}
