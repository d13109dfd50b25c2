//! May, the month, and *may*, the verb.

use std::ops::Range;

/// Words before the name of a month.
const BEFORE: &str =
    "in of last this next since until till by early late mid during before after every";

/// Whether the word at `at` is the month of May: with a capital, beside a number or behind one of the words
/// that stand before a month. The stop words hold *may*, and without this rule nothing in May was found by it.
pub(super) fn is_may(text: &str, at: &Range<usize>) -> bool {
    if text.get(at.clone()) != Some("May") {
        return false;
    }
    let before = text[..at.start].trim_end();
    let after = text[at.end..].trim_start_matches([' ', ',']);
    let last = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    after.starts_with(|c: char| c.is_ascii_digit())
        || last.starts_with(|c: char| c.is_ascii_digit())
        || BEFORE
            .split(' ')
            .any(|word| word.eq_ignore_ascii_case(last))
}
