//! The tokenizer: splits a text into words, and into runs of characters of scripts without spaces between
//! words, and into emoji. Search folds the result, mention and recall stem it and leave emoji out.

use super::emoji::{emoji_len, fold_emoji};
use super::fold::{fold, is_mark};
use std::ops::Range;

/// The kind of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A word: letters and digits of any alphabet.
    Word,
    /// Characters of a script without spaces between words.
    Run,
    /// One emoji.
    Emoji,
}

/// Writes a word in lower case into `lower`.
pub fn lower_case(word: &str, lower: &mut String) {
    lower.clear();
    match word.is_ascii() {
        true => {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        }
        false => lower.extend(word.chars().flat_map(char::to_lowercase)),
    }
}

/// The segments of a text, in order, with their positions. A combining mark belongs to the character before
/// it.
pub fn segments(text: &str) -> impl Iterator<Item = (SegmentKind, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let first = rest.chars().next()?;
            let from = at;
            if let Some(length) = emoji_len(rest) {
                at += length;
                return Some((SegmentKind::Emoji, from..at));
            }
            at += first.len_utf8();
            if let Some(kind) = kind(first) {
                at += length_of(kind, &text[at..]);
                return Some((kind, from..at));
            }
        }
    })
}

/// The length of the rest of a segment, up to what is of another kind.
fn length_of(kind: SegmentKind, rest: &str) -> usize {
    let of_it = |c: char| self::kind(c).map_or(is_mark(c), |next| next == kind);
    let ends = |(at, c): &(usize, char)| !of_it(*c) || emoji_len(&rest[*at..]).is_some();
    rest.char_indices()
        .find(ends)
        .map_or(rest.len(), |(at, _)| at)
}

/// Calls `each` with every word, run and emoji of `text`, folded, and its position. A word of which nothing is left is
/// none.
pub fn each_word(text: &str, each: &mut dyn FnMut(SegmentKind, &str, Range<usize>)) {
    let mut folded = String::new();
    for (kind, at) in segments(text) {
        folded.clear();
        match kind {
            SegmentKind::Emoji => fold_emoji(&text[at.clone()], &mut folded),
            SegmentKind::Word | SegmentKind::Run => {
                text[at.clone()].chars().for_each(|c| fold(c, &mut folded));
            }
        }
        // A vowel point alone has no letter; an empty word would be the beginning of every other one.
        if !folded.is_empty() {
            each(kind, &folded, at);
        }
    }
}

fn kind(c: char) -> Option<SegmentKind> {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric().then_some(SegmentKind::Word);
    }
    match is_unspaced(c) {
        true => Some(SegmentKind::Run),
        false => c.is_alphanumeric().then_some(SegmentKind::Word),
    }
}

/// Whether a character belongs to a script without spaces between words; includes Korean, whose words carry
/// endings.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e01..=0x0e3a | 0x0e40..=0x0e4e // Thai
        | 0x0e80..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17d3 // Lao, Burmese, Khmer
        | 0x3041..=0x30fa | 0x30fc..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f // Kana
        | 0x1100..=0x11ff | 0xac00..=0xd7a3 // Hangul
        | 0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff) // Han
}

/// Calls `each` with the index keys of a run: its single characters and its pairs of neighbours.
pub fn each_part(run: &str, each: &mut dyn FnMut(&str)) {
    let mut before = None;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        each(&run[at..end]);
        if let Some(before) = before.replace(at) {
            each(&run[before..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(SegmentKind, &str)> {
        segments(text).map(|(kind, at)| (kind, &text[at])).collect()
    }

    #[test]
    fn words_and_runs_are_told_apart_and_signs_are_neither() {
        use SegmentKind::{Run, Word};
        assert_eq!(found("Größe: x1, –"), [(Word, "Größe"), (Word, "x1")]);
        assert_eq!(
            found("SQLite的索引,好"),
            [(Word, "SQLite"), (Run, "的索引"), (Run, "好")]
        );
        assert_eq!(
            found("Cafe\u{301} noir"),
            [(Word, "Cafe\u{301}"), (Word, "noir")]
        );
        assert_eq!(found("नमस्ते שָׁלוֹם"), [(Word, "नमस्ते"), (Word, "שָׁלוֹם")]);
        for signs in [
            "¿¡«»…–—„“”‚‘’•·§¶°©®™€£¥†‡",
            "。、！？「」『』《》：；（）・～",
            "؟،؛।॥",
            "→←≠≤∑√ \u{301}",
        ] {
            assert_eq!(found(signs), [], "{signs}");
        }
    }

    #[test]
    fn vowel_points_without_a_letter_are_no_word() {
        let mut words = Vec::new();
        each_word("\u{fe70} س\u{fe77}ر \u{fe7e}", &mut |_, word, _| {
            words.push(word.to_owned());
        });
        assert_eq!(words, ["سر"]);
    }

    #[test]
    fn emoji_are_words_of_their_own() {
        use SegmentKind::{Emoji, Run, Word};
        assert_eq!(
            found("a🙂🎉1️⃣23 字👍🏽だ 🇨🇩🇪🇸"),
            [
                (Word, "a"),
                (Emoji, "🙂"),
                (Emoji, "🎉"),
                (Emoji, "1️⃣"),
                (Word, "23"),
                (Run, "字"),
                (Emoji, "👍🏽"),
                (Run, "だ"),
                (Emoji, "🇨🇩"),
                (Emoji, "🇪🇸"),
            ]
        );
    }
}
