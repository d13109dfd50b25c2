//! Joins rankings whose scores cannot be compared.

use std::collections::BTreeMap;

/// How much the first ranks weigh against the later ones; the value of Cormack, Clarke and Büttcher, "Reciprocal rank
/// fusion outperforms Condorcet and individual rank learning methods" (2009).
const K: f32 = 60.0;

/// Joins rankings, each best first, by the sum of `1 / (60 + rank)`: what stands high in one of them is high, what
/// stands in several is higher. Equals keep the order in which they are first met.
#[must_use]
pub fn reciprocal_rank_fusion<T: Copy + Ord>(rankings: &[&[T]]) -> Vec<T> {
    let mut places: BTreeMap<T, usize> = BTreeMap::new();
    let mut joined: Vec<(T, f32)> = Vec::new();
    for ranking in rankings {
        for (rank, item) in (1_u16..).zip(*ranking) {
            let place = *places.entry(*item).or_insert(joined.len());
            if place == joined.len() {
                joined.push((*item, 0.0));
            }
            if let Some((_, score)) = joined.get_mut(place) {
                *score += 1.0 / (K + f32::from(rank));
            }
        }
    }
    // The sort is stable.
    joined.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    joined.into_iter().map(|(item, _)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rankings: &[&[char]], joined: &[char]) {
        assert_eq!(reciprocal_rank_fusion(rankings), joined);
    }

    #[test]
    fn what_stands_in_both_rankings_comes_first() {
        check(
            &[&['a', 'b', 'c'], &['x', 'c', 'y']],
            &['c', 'a', 'x', 'b', 'y'],
        );
        check(&[&['a', 'b'], &['b', 'a']], &['a', 'b']);
        check(&[&['a', 'b', 'c'], &['b', 'c', 'a']], &['b', 'a', 'c']);
    }

    #[test]
    fn one_ranking_alone_stays_as_it_is() {
        check(&[&['c', 'a', 'b'], &[]], &['c', 'a', 'b']);
        check(&[&[], &['c', 'a', 'b']], &['c', 'a', 'b']);
        check(&[], &[]);
    }
}
