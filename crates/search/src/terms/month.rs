//! May, the month, and *may*, the verb.

use std::ops::Range;

/// True if the word at `at` is the month of May: with a capital within a sentence, or before a number. The stop words hold
/// *may*, and without this rule nothing in May was found by it.
pub(super) fn is_may(text: &str, at: &Range<usize>) -> bool {
    let before = text[..at.start].trim_end();
    let after = text[at.end..].trim_start();
    text.get(at.clone()) == Some("May")
        && (before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
            || after.starts_with(|c: char| c.is_ascii_digit()))
}
