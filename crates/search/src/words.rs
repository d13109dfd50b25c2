//! A text to what is compared: its words, and its runs of characters that have no blanks between words.

use super::fold::{fold, is_mark};
use std::ops::Range;

/// What was found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word.
    Word,
    /// Characters of a script that puts no blanks between words.
    Run,
}

/// Calls `each` with every word and every run of `text`, folded, and where it stands.
pub fn each_word(text: &str, each: &mut dyn FnMut(Kind, &str, Range<usize>)) {
    let mut folded = String::new();
    let mut open: Option<(Kind, usize)> = None;
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let kind = kind(c).or_else(|| open.map(|(kind, _)| kind).filter(|_| is_mark(c)));
        if let Some((known, from)) = open
            && kind != Some(known)
        {
            each(known, &folded, from..end);
            folded.clear();
            open = None;
        }
        if let Some(kind) = kind {
            open.get_or_insert((kind, at));
            fold(c, &mut folded);
            end = at + c.len_utf8();
        }
    }
    if let Some((kind, from)) = open {
        each(kind, &folded, from..end);
    }
}

fn kind(c: char) -> Option<Kind> {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric().then_some(Kind::Word);
    }
    match is_unspaced(c) {
        true => Some(Kind::Run),
        false => c.is_alphanumeric().then_some(Kind::Word),
    }
}

/// Whether a character is of a script without blanks between words; Korean too, whose words carry endings.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e01..=0x0e3a | 0x0e40..=0x0e4e // Thai
        | 0x0e80..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17d3 // Lao, Burmese, Khmer
        | 0x3041..=0x30fa | 0x30fc..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f // Kana
        | 0x1100..=0x11ff | 0xac00..=0xd7a3 // Hangul
        | 0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff) // Han
}

/// Calls `each` with what a run is kept as: its single characters and its pairs of neighbours.
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
