//! Splits a text into the words that are compared: lower case, without stop words and endings.

use crate::words::{SegmentKind, segments};
use std::ops::Range;

/// Stop words, by first letter.
const STOP: [&str; 26] = [
    "a about am an and are as at",
    "be been being but by",
    "can could",
    "d did do does doing don",
    "",
    "for from",
    "",
    "had has have having he her here him his how",
    "i if in into is it its",
    "just",
    "",
    "ll",
    "m may me might must my",
    "no not",
    "of off on or our out",
    "",
    "",
    "re",
    "s shall she should so",
    "t than that the their them then there these they this those to",
    "",
    "ve",
    "was we were what when where which who whom why will with would",
    "",
    "you your",
    "",
];

/// Endings and their replacements; the first match is used.
const ENDINGS: [(&str, &str); 8] = [
    ("ies", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
];

/// Calls `each` with the stem and the position of every word of `text` that is not a stop word, in order and
/// with repetitions. A word is a run of letters and digits of any alphabet; scripts without spaces yield
/// every pair of neighbouring characters instead.
pub(super) fn each_word(text: &str, each: &mut dyn FnMut(&str, Range<usize>)) {
    for (kind, at) in segments(text) {
        match kind {
            SegmentKind::Word => {
                let mut word = text[at.clone()].to_lowercase();
                if !is_stop(&word) {
                    stem(&mut word);
                    each(&word, at);
                }
            }
            SegmentKind::Run => each_pair(text, at, each),
        }
    }
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

fn is_stop(word: &str) -> bool {
    let first = word.as_bytes()[0];
    first.is_ascii_lowercase()
        && word.len() <= 6
        && STOP[usize::from(first - b'a')]
            .as_bytes()
            .split(|b| *b == b' ')
            .any(|stop| stop == word.as_bytes())
}

/// Removes an English ending, by rules and without a dictionary. Words of four letters or fewer, and numbers,
/// are unchanged.
fn stem(word: &mut String) {
    let letters = word.chars().count();
    if letters <= 4 || word.ends_with(|c: char| c.is_ascii_digit()) {
        return;
    }
    for (ending, instead) in ENDINGS {
        let fits = word.ends_with(ending) && letters >= ending.len() + 3;
        if fits && !(ending == "s" && word.ends_with("ss")) {
            word.truncate(word.len() - ending.len());
            word.push_str(instead);
            break;
        }
    }
    let mut back = word.chars().rev();
    let last = back.next();
    if last == back.next() && back.nth(1).is_some() && !matches!(last, Some('l' | 's' | 'z')) {
        word.pop();
    }
    if word.ends_with('e') && word.chars().nth(4).is_some() {
        word.pop();
    }
    if word.ends_with('i') {
        word.pop();
        word.push('y');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each_word(text, &mut |stem, _| all.push(stem.to_owned()));
        all
    }

    #[test]
    fn the_stems_that_were_measured() {
        for (word, stem) in [
            ("running", "run"),
            ("ladies", "lady"),
            ("dresses", "dress"),
            ("classes", "class"),
            ("happily", "happy"),
            ("houses", "hous"),
            ("house", "hous"),
            ("studies", "study"),
            ("really", "real"),
            ("stopped", "stop"),
            ("falling", "fall"),
            ("agreed", "agre"),
            ("making", "mak"),
            ("used", "used"),
            ("using", "using"),
            ("class", "class"),
            ("adding", "add"),
        ] {
            assert_eq!(words(word), [stem], "{word}");
        }
    }

    #[test]
    fn words_are_runs_of_letters_and_digits_without_stop_words() {
        assert_eq!(
            words("Ann: Which database should I use for the recipe site? 3 March 2026"),
            [
                "ann", "databas", "use", "recip", "site", "3", "march", "2026"
            ]
        );
        assert!(
            words("I don't, you can't; we'll see what they've — I mean").contains(&"mean".into())
        );
        assert!(words("don't").is_empty());
        assert!(words("").is_empty());
        assert_eq!(words("parse_args(x1)"), ["pars", "args", "x1"]);
    }

    #[test]
    fn there_are_91_stop_words_each_under_its_letter() {
        let all = STOP.iter().flat_map(|row| row.split_whitespace());
        assert_eq!(all.clone().count(), 91);
        assert!(all.clone().all(|word| is_stop(word) && word.len() <= 6));
    }

    /// Regression: letters outside ASCII split words: "Schlüssel" gave "schl" and "ssel".
    #[test]
    fn letters_of_every_alphabet_make_words() {
        assert_eq!(words("Schlüssel ÜBER naïve"), ["schlüssel", "über", "naïv"]);
        assert_eq!(words("Привет, МИР"), ["привет", "мир"]);
        assert_eq!(words("crèmes"), ["crèm"]);
    }

    /// Regression: scripts without spaces gave no words at all.
    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(words("数据库"), ["数据", "据库"]);
        assert_eq!(words("SQLite的索引,好"), ["sqlit", "的索", "索引", "好"]);
        assert_eq!(words("데이터 베이스"), ["데이", "이터", "베이", "이스"]);
    }

    /// Regression: a number that ends in a double digit lost one: 20222 became 2022.
    #[test]
    fn numbers_stay_whole() {
        assert_eq!(words("20222 7700 abc55"), ["20222", "7700", "abc55"]);
    }

    #[test]
    fn a_word_knows_where_it_stands() {
        let text = "Größere Häuser 日本語";
        let mut raw = Vec::new();
        each_word(text, &mut |_, at| raw.push(&text[at]));
        assert_eq!(raw, ["Größere", "Häuser", "日本", "本語"]);
    }
}
