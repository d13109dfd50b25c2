//! Splits a text into terms, the words that are compared: lower case, without stop words, endings and accents.
//! Everything that ranks uses it: the recall and the offer.
//!
//! Which language a text is in and its stop words are `sash_text`'s; `stem` removes endings (Snowball, the crate `rust-stemmers`), `irregular` has the forms that no rule
//! gives, `conversation` knows words that name no subject, `date` writes dates
//! out, `thesaurus` has words of one subject, `time_words` tells whether a text says when and a question asks for it.

pub(crate) mod conversation;
pub(crate) mod date;
mod irregular;
mod stem;
pub(crate) mod thesaurus;
pub(crate) mod time_words;

pub(crate) use stem::{StemCache, stem};

use sash_text::{SegmentKind, TextLanguage, is_stop_word, lower_case, segments};
use std::borrow::Cow;
use std::ops::Range;

/// Calls `each` with the term and the position of every word of `text` that is not a stop word, in order and
/// with repetitions. A word is a run of letters and digits of any alphabet; scripts without spaces give every
/// pair of neighbouring characters instead (the usual index of Chinese and Japanese without a dictionary).
pub(crate) fn each_term(
    text: &str,
    language: TextLanguage,
    stems: &mut StemCache,
    each: &mut dyn FnMut(&str, Range<usize>),
) {
    each_word(text, language, &mut |word, at| {
        // Neither long data nor numbers are worth remembering.
        let term = match word.len() <= 20 && !word.starts_with(|c: char| c.is_ascii_digit()) {
            true => Cow::Borrowed(stems.stem(word, language)),
            false => Cow::Owned(stem(word, language)),
        };
        // Nothing is left of vowel points without a letter.
        if !term.is_empty() {
            each(&term, at);
        }
    });
}

/// Calls `each` with every word in lower case and its position, without stop words; see [`each_term`].
pub(crate) fn each_word(
    text: &str,
    language: TextLanguage,
    each: &mut dyn FnMut(&str, Range<usize>),
) {
    let mut word = String::new();
    for (kind, at) in segments(text) {
        match kind {
            SegmentKind::Word => {
                lower_case(&text[at.clone()], &mut word);
                if !is_stop_word(&word, language) || is_may(text, &at) {
                    each(&word, at);
                }
            }
            SegmentKind::Run => each_pair(text, at, each),
            SegmentKind::Emoji => {}
        }
    }
}

/// True if the word at `at` is the month of May: with a capital within a sentence, or before a number. The stop words hold
/// *may*, and without this rule nothing in May was found by it.
fn is_may(text: &str, at: &Range<usize>) -> bool {
    let before = text[..at.start].trim_end();
    let after = text[at.end..].trim_start();
    text.get(at.clone()) == Some("May")
        && (before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
            || after.starts_with(|c: char| c.is_ascii_digit()))
}

/// Every pair of neighbouring characters of a run; a single character is passed alone.
fn each_pair(text: &str, run: Range<usize>, each: &mut dyn FnMut(&str, Range<usize>)) {
    let from = run.start;
    let starts = text[run.clone()].char_indices().map(|(at, _)| from + at);
    let ends = starts.clone().skip(2).chain([run.end]);
    for (start, end) in starts.zip(ends) {
        each(&text[start..end], start..end);
    }
}

#[cfg(test)]
mod tests;
