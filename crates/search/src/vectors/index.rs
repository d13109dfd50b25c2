//! The vectors of messages, and which of them are near a prompt's.

use super::QuantizedVector;
use sash_chat::Id;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The least nearness of a message that no word of the prompt supports, for each square root of the logarithm of the
/// number of messages: the largest of many random nearnesses grows like that, so 20 messages need 0.31, 1,000 need
/// 0.47. Measured with two models; README.md of this crate has the figures.
const MIN_NEARNESS: f32 = 0.18;
/// A shorter log is judged like one of this many messages.
const MIN_CROWD: usize = 20;
/// The least messages that make a median worth anything.
const MIN_MESSAGES: usize = 4;
/// The most messages of a ranking.
const MAX_MESSAGES: usize = 50;

/// A message near the prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearMessage {
    /// Its chat.
    pub chat: Id,
    /// The message.
    pub message: Id,
    /// How far its cosine is on the way from the median of all messages (0) to that of equal texts (1). Models differ
    /// in where unrelated texts lie (about 0 to about 0.8), so a cosine alone says nothing.
    pub nearness: f32,
    /// Whether it is so much nearer than the others that it may be recalled for that alone.
    pub stands_out: bool,
}

/// The vectors of messages of one or many chats, all of one model, by chat and message. 20,000 vectors of 768 numbers take
/// 15 MB and are ranked in some milliseconds, so there is no index of neighbourhoods.
#[derive(Debug, Default)]
pub struct VectorIndex(BTreeMap<(Id, Id), QuantizedVector>);

impl VectorIndex {
    /// How many vectors it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it has the vector of a message.
    #[must_use]
    pub fn contains(&self, chat: Id, message: Id) -> bool {
        self.0.contains_key(&(chat, message))
    }

    /// Adds the vector of a message. Returns whether it was added: one that is known stays, and one with another number
    /// of dimensions than the first is of another model.
    pub fn add(&mut self, chat: Id, message: Id, vector: &QuantizedVector) -> bool {
        let first = self.0.values().next();
        let is_alike = first.is_none_or(|first| first.dimensions() == vector.dimensions());
        match self.0.entry((chat, message)) {
            Entry::Vacant(entry) if is_alike => {
                entry.insert(vector.clone());
                true
            }
            _ => false,
        }
    }

    /// The messages that pass `may` (chat, message), nearest first, at most 50. The others still say where unrelated
    /// messages lie.
    #[must_use]
    pub fn rank(&self, prompt: &QuantizedVector, may: &dyn Fn(Id, Id) -> bool) -> Vec<NearMessage> {
        let all = self.0.iter();
        let cosines = all.filter_map(|(key, vector)| Some((*key, vector.cosine(prompt)?)));
        let cosines: Vec<((Id, Id), f32)> = cosines.collect();
        let median = median(cosines.iter().map(|(_, cosine)| *cosine).collect());
        let least = MIN_NEARNESS * (cosines.len().max(MIN_CROWD) as f32).ln().sqrt();
        let nearby = cosines
            .iter()
            .filter(|((chat, message), _)| may(*chat, *message));
        let mut near: Vec<NearMessage> = nearby
            .map(|((chat, message), cosine)| {
                let nearness = nearness(*cosine, median);
                NearMessage {
                    chat: *chat,
                    message: *message,
                    nearness,
                    stands_out: cosines.len() >= MIN_MESSAGES && nearness >= least,
                }
            })
            .collect();
        near.sort_by(|one, other| other.nearness.total_cmp(&one.nearness));
        near.truncate(MAX_MESSAGES);
        near
    }
}

/// How far a cosine is on the way from the median to 1; 0 where all texts are equal.
fn nearness(cosine: f32, median: f32) -> f32 {
    match median < 1.0 {
        true => (cosine - median) / (1.0 - median),
        false => 0.0,
    }
}

/// The median; 0 without numbers.
fn median(mut numbers: Vec<f32>) -> f32 {
    let middle = numbers.len() / 2;
    numbers.sort_unstable_by(f32::total_cmp);
    numbers.get(middle).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAT: Id = Id(1);

    /// An index of vectors in a plane, given by their angles in degrees.
    fn index(angles: &[f32]) -> VectorIndex {
        let mut index = VectorIndex::default();
        for (id, angle) in (0..).zip(angles) {
            assert!(index.add(CHAT, Id(id), &at(*angle)));
        }
        index
    }

    fn at(angle: f32) -> QuantizedVector {
        let (sin, cos) = angle.to_radians().sin_cos();
        QuantizedVector::new(&[cos, sin]).unwrap()
    }

    fn ranked(index: &VectorIndex, may: &dyn Fn(Id, Id) -> bool) -> Vec<(u64, bool)> {
        let near = index.rank(&at(0.0), may).into_iter();
        near.map(|near| (near.message.0, near.stands_out)).collect()
    }

    #[test]
    fn the_nearest_come_first_and_what_stands_out_of_the_rest_is_marked() {
        let index = index(&[80.0, 90.0, 10.0, 85.0, 50.0, 95.0]);
        let all = ranked(&index, &|_, _| true);
        let expected = [
            (2, true),
            (4, true),
            (0, false),
            (3, false),
            (1, false),
            (5, false),
        ];
        assert_eq!(all, expected);
        let without_best = ranked(&index, &|_, message| message != Id(2));
        assert_eq!(
            without_best,
            expected[1..],
            "it still counts for the median"
        );
    }

    #[test]
    fn nothing_stands_out_where_all_are_alike_or_few() {
        let alike = index(&[5.0, 5.2, 4.8, 5.1, 4.9]);
        assert!(ranked(&alike, &|_, _| true).iter().all(|(_, out)| !out));
        let few = index(&[0.0, 90.0, 90.0]);
        assert!(ranked(&few, &|_, _| true).iter().all(|(_, out)| !out));
        assert!(ranked(&index(&[]), &|_, _| true).is_empty());
    }

    #[test]
    fn a_vector_is_added_once_and_one_of_another_model_not_at_all() {
        let mut index = index(&[0.0]);
        assert!(index.contains(CHAT, Id(0)) && !index.contains(Id(2), Id(0)));
        assert!(!index.add(CHAT, Id(0), &at(90.0)));
        let other = QuantizedVector::new(&[1.0, 0.0, 0.0]).unwrap();
        assert!(!index.add(CHAT, Id(1), &other));
        assert!(index.rank(&other, &|_, _| true).is_empty());
        assert_eq!(index.len(), 1);
    }
}
