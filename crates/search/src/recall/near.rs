//! Words that are spelled almost alike.

/// True if two words differ by one letter put in, left out, replaced, or swapped with the next (Damerau, 1964: one such step
/// makes four in five misspellings). Words that are the same do not.
pub(super) fn spelled_alike(one: &str, other: &str) -> bool {
    if one == other || one.len().abs_diff(other.len()) > 4 {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let (ends, other_ends) = (one.iter().rev(), other.iter().rev());
    let same = ends.zip(other_ends).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - same], &other[..other.len() - same]) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}
