//! Joins the ranking by words with the one by vectors.

use std::collections::BTreeMap;

/// What full nearness weighs against the full score by words. Scores are joined, not ranks: a message that has all
/// words of a prompt then stays ahead of one that is merely near, and where no word is found nearness alone ranks.
/// Chosen with two models on the sets of `tests/data/recall`; README.md of this crate has the figures.
const NEARNESS_WEIGHT: f32 = 0.3;

/// Joins messages and their scores by words, as shares of the best possible one, with messages and their nearness:
/// best first, equals in the order in which they are first met.
#[must_use]
pub fn join_rankings<T: Copy + Ord>(words: &[(T, f32)], near: &[(T, f32)]) -> Vec<T> {
    let mut places: BTreeMap<T, usize> = BTreeMap::new();
    let mut joined: Vec<(T, f32)> = Vec::new();
    let near = near
        .iter()
        .map(|(item, near)| (*item, NEARNESS_WEIGHT * near.max(0.0)));
    for (item, score) in words.iter().copied().chain(near) {
        let place = *places.entry(item).or_insert(joined.len());
        match joined.get_mut(place) {
            Some((_, sum)) => *sum += score,
            None => joined.push((item, score)),
        }
    }
    // The sort is stable.
    joined.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    joined.into_iter().map(|(item, _)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[(char, f32)], near: &[(char, f32)], joined: &[char]) {
        assert_eq!(join_rankings(words, near), joined);
    }

    #[test]
    fn nearness_decides_between_messages_that_have_few_words_and_not_against_those_that_have_all() {
        check(
            &[('a', 0.9), ('b', 0.2), ('c', 0.15)],
            &[('x', 0.8), ('c', 0.5), ('b', 0.1)],
            &['a', 'c', 'x', 'b'],
        );
    }

    #[test]
    fn one_ranking_alone_stays_as_it_is() {
        check(&[('c', 0.5), ('a', 0.5), ('b', 0.0)], &[], &['c', 'a', 'b']);
        check(&[], &[('c', 0.5), ('a', 0.3)], &['c', 'a']);
        check(&[], &[], &[]);
    }
}
