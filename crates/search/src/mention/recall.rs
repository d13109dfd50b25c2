//! Finds the messages that fit a prompt, for recall.

use super::draft::analyse;
use super::index::MentionIndex;
use super::score::rarity;
use sash_chat::Id;

/// A message that fits a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// The message.
    pub message: Id,
    /// The words of the prompt that it has, as they are written there.
    pub words: Vec<String>,
}

impl MentionIndex {
    /// The messages that fit a prompt, best first; none where nothing fits. `may` tells whether a message may be
    /// recalled.
    #[must_use]
    pub fn recall(&self, prompt: &str, may: &dyn Fn(Id) -> bool) -> Vec<Recalled> {
        let analysis = analyse(prompt);
        let weight = |stem: &str, weight: f32| {
            let postings = self.stems.postings(stem).len();
            match postings {
                0 => 0.0,
                n => weight * rarity(self.messages.len(), n) / rarity(self.messages.len(), 2),
            }
        };
        let weights: Vec<f32> = analysis
            .words
            .iter()
            .map(|word| weight(&word.stem, word.weight))
            .collect();
        let query: Vec<(&str, f32)> = analysis
            .words
            .iter()
            .map(|word| (word.stem.as_str(), word.times * word.weight.max(0.2)))
            .collect();
        let scores = self.score(&query);
        let mut found: Vec<usize> = (0..scores.len())
            .filter(|at| {
                let holds = scores[*at].holds;
                let of = |bit: usize| holds >> bit & 1 == 1;
                let sum: f32 = (0..weights.len())
                    .filter(|bit| of(*bit))
                    .map(|bit| weights[bit])
                    .sum();
                sum >= 0.8 && may(self.messages[*at].id)
            })
            .collect();
        found.sort_by(|a, b| scores[*b].score.total_cmp(&scores[*a].score));
        let recalled = |at: usize| Recalled {
            message: self.messages[at].id,
            words: analysis
                .words
                .iter()
                .enumerate()
                .filter(|(bit, _)| scores[at].holds >> bit & 1 == 1)
                .map(|(_, word)| prompt[word.at.clone()].to_owned())
                .collect(),
        };
        found.into_iter().map(recalled).collect()
    }
}
