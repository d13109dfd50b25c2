//! Words that are spelled almost alike.

/// Letters that are taken for each other: vowels, and consonants of one sound.
const ALIKE: [&str; 7] = ["aeiouy", "csz", "ckqx", "dt", "gj", "fvw", "bp"];

/// Whether two words differ by one letter put in, left out, swapped with the next, or replaced by one that sounds
/// alike (Damerau, 1964: one such step makes four in five misspellings). Any other letter in its place is most
/// often another word: "injury" and "insurance" have stems that differ by one. Words that are the
/// same do not.
pub(super) fn spelled_alike(one: &str, other: &str) -> bool {
    if one.len().abs_diff(other.len()) > 2 {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(&long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[same..], &long[same..]);
    match (short, long) {
        ([], []) => false,
        _ if short.len() < long.len() => *short == long[1..],
        ([a, b, rest @ ..], [c, d, others @ ..]) if a == d && b == c && a != b => rest == others,
        _ => short[1..] == long[1..] && alike(short[0], long[0]),
    }
}

fn alike(one: char, other: char) -> bool {
    ALIKE
        .iter()
        .any(|group| group.contains(one) && group.contains(other))
}
